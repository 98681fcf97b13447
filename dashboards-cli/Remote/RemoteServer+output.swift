internal import ArgumentParser
internal import Foundation
internal import Rendering

extension RemoteServer {
    /// Asks for a report in the chosen format, and writes it as a report of a database is written: the text to stdout, notes to stderr.
    ///
    /// A mistake in the question ends the program with exit code 64.
    func write(
        _ path: String, _ parameters: [(name: String, value: String)], _ output: ReportOutputOptions
    ) async throws {
        let format = output.chosenFormat
        var parameters = parameters + [("format", format.rawValue)]
        if format == .table, let terminal = output.style.parameter {
            parameters.append(("terminal", terminal))
        }
        let report: RemoteReport
        do {
            report = try await self.report(path, parameters)
        } catch let problem as RemoteProblem where problem.isMistakeInQuestion {
            note("Error: \(sentence(problem.description))")
            throw ExitCode.validationFailure
        }
        report.notes.forEach(note)
        // The terminal gets no control characters from anybody.
        try output.write(format == .table ? TerminalText.text(of: report.lines) : report.text)
        if !report.notes.isEmpty { note("Asked: \(profile.server) (profile \(name)).") }
    }
}

extension RemoteReport {
    /// Without their line breaks.
    fileprivate var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
