internal import ArgumentParser
internal import Foundation
internal import Rendering
internal import Wording

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
        if format == .table, isatty(STDOUT_FILENO) == 1 { note(page(path, parameters, of: report.app)) }
        if !report.notes.isEmpty { note("Asked: \(profile.server) (profile \(name)).") }
    }
}

extension RemoteServer {
    /// The address of the report's page in the console. The app's first page is that of today.
    private func page(
        _ path: String, _ parameters: [(name: String, value: String)], of app: String
    ) -> String {
        let ownOfCommand = ["app", "format", "terminal", "limit"]
        let query = parameters.filter { !ownOfCommand.contains($0.name) }
            .map { "\($0.name)=\($0.value.queryEncoded)" }.joined(separator: "&")
        let place = path == "today" ? "" : "/\(path)"
        return "\(profile.pages)/apps/\(app.queryEncoded)\(place)\(query.isEmpty ? "" : "?" + query)"
    }
}

extension RemoteReport {
    /// Without their line breaks.
    fileprivate var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
