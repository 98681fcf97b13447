internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Rendering

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// In order; a name may be repeated.
typealias ReportParameters = [(name: String, value: String)]

/// The parameters that have a value.
func given(_ parameters: [(String, String?)]) -> ReportParameters {
    parameters.compactMap { name, value in value.map { (name, $0) } }
}

func queryText(_ parameters: ReportParameters) -> String {
    parameters.map { "\($0.name)=\($0.value.queryEncoded)" }.joined(separator: "&")
}

/// The server of a profile.
struct RemoteServer: Sendable {
    /// The profile's name.
    let name: String
    let profile: Profile

    /// How long a request that gets 503 is repeated.
    private static let patience = Duration.seconds(20)

    /// Asks for a report: `GET /v1/reports/…`.
    ///
    /// - Parameter path: the last parts of the report's path, such as `funnel`.
    /// - Throws: ``CommandProblem``, ``RejectedQuestion``.
    func report(_ path: String, _ parameters: ReportParameters) async throws -> RemoteReport {
        guard let url = URL(string: "\(profile.server)/v1/reports/\(path)?\(queryText(parameters))") else {
            throw unreachable("the address is not valid")
        }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(profile.key)", forHTTPHeaderField: "Authorization")
        // A stored response would not be checked again with another key.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (body, response) = try await patientResponse(to: request)
        guard response.statusCode == 200 else { throw problem(response, body) }
        guard let report = RemoteReport(response, body) else { throw notLandfall(status: 200) }
        return report
    }

    /// Repeats the request while the server responds with 503, as when its database restarts.
    private func patientResponse(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        var repetition = Repetition(patience: Self.patience, now: .now)
        while true {
            let (body, response) = try await response(to: request)
            let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            guard response.statusCode == 503,
                let pause = repetition.pause(
                    retryAfter: seconds.map { .seconds($0) }, now: .now, chance: .random(in: 0...1))
            else { return (body, response) }
            try await Task.sleep(for: pause)
        }
    }

    private func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            return try await SingleRequest.send(request)
        } catch is NotHTTP {
            throw notLandfall(status: 0)
        } catch let error as URLError {
            throw unreachable(error.localizedDescription)
        }
    }
}

/// Something other than HTTP responded.
struct NotHTTP: Error {}

enum SingleRequest {
    /// Sends the request on a connection of its own, and follows no redirection.
    ///
    /// - Throws: `URLError`, ``NotHTTP``.
    static func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let configuration = URLSessionConfiguration.ephemeral
        // A report may wait for others and then take the server's limit: 10 s unless its operator raised it.
        configuration.timeoutIntervalForRequest = 120
        exemptThisMachineFromProxies()
        let session = URLSession(configuration: configuration, delegate: NoRedirection(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (body, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw NotHTTP() }
        return (body, response)
    }
}

/// The server found a mistake in the question.
struct RejectedQuestion: Error, CustomStringConvertible {
    let description: String
}

extension RemoteServer {
    private var place: String { "\(profile.server) (profile \(name))" }

    private func unreachable(_ reason: String) -> CommandProblem {
        CommandProblem(
            "\(place) cannot be reached: \(reason). Check the address with landfall config, and whether "
                + "landfall-server is running")
    }

    /// The response is not one of Landfall's.
    private func notLandfall(status: Int) -> CommandProblem {
        CommandProblem(
            "\(place) is not a Landfall server, or something in between responded (status \(status)): check the "
                + "address with landfall config")
    }

    /// The reason for a status other than 200, and what to do about it.
    private func problem(_ response: HTTPURLResponse, _ body: Data) -> any Error {
        let (status, server) = (response.statusCode, profile.server)
        let problem = ServerProblem(status: status, body: Array(body))
        switch (status, problem.code, problem.detail) {
        case (300..<400, _, _):
            let other = response.value(forHTTPHeaderField: "Location") ?? "another address"
            return CommandProblem(
                "\(place) redirects to \(other), and the key is not sent there: name that server with landfall "
                    + "config set \(name) --server URL")
        case (429, _, _):
            let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            return CommandProblem(
                "\(server) gets too many requests with the key of profile \(name): try again in "
                    + (seconds.map { "\($0) s" } ?? "a minute"))
        case (_, nil, _), (_, _, nil): return notLandfall(status: status)
        case (401, _, _):
            return CommandProblem(
                "\(server) does not accept the key of profile \(name): it was revoked, or is another server's. "
                    + "landfall key create --kind report, run where the database is, prints a new one, and "
                    + "landfall config set \(name) --server \(server) stores it")
        case (403, _, let detail?):
            return CommandProblem(
                "\(server) does not accept the key of profile \(name): \(detail). landfall key create --kind "
                    + "report, run where the database is, prints one")
        case (404, _, let detail?), (_, "unknown_parameter", let detail?):
            return CommandProblem(
                "\(place) does not know this report: \(detail). Its version is older than this program's, or "
                    + "the address has a wrong path")
        case (400, _, let detail?): return RejectedQuestion(description: detail)
        case (_, _, let detail?):
            return CommandProblem("\(place) could not answer: \(detail) (status \(status))")
        }
    }
}

/// Follows no redirection: the key would be sent to an address that the profile does not name.
private final class NoRedirection: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// On Linux, `http_proxy` would hold for a server on this machine, too, which no proxy can reach.
func exemptThisMachineFromProxies() {
    let environment = ProcessInfo.processInfo.environment
    let known = environment["no_proxy"] ?? environment["NO_PROXY"]
    setenv(
        "no_proxy", ([known].compactMap(\.self) + ["127.0.0.1", "localhost", "::1"]).joined(separator: ","), 1
    )
}

/// A report as a server sent it.
struct RemoteReport: Sendable {
    /// What the command prints, in the format that was asked for.
    let text: String
    /// What the command says besides the report, such as that a filter has an unknown value.
    let notes: [String]
    /// The app of the key.
    let app: String

    /// `nil` for a response that no Landfall server sends.
    init?(_ response: HTTPURLResponse, _ body: Data) {
        guard let app = response.value(forHTTPHeaderField: "Landfall-App"),
            let text = String(data: body, encoding: .utf8)
        else { return nil }
        self.app = app
        self.text = text
        notes = (response.value(forHTTPHeaderField: "Landfall-Notes") ?? "").split(separator: ",")
            .compactMap { $0.trimmingCharacters(in: .whitespaces).removingPercentEncoding }
    }

    /// Without their line breaks.
    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

extension RemoteServer {
    /// Asks for a report in the chosen format, and writes it as a report of a database is written: the text
    /// to stdout, notes to stderr.
    ///
    /// A mistake in the question ends the program with exit code 64.
    func write(_ path: String, _ parameters: ReportParameters, _ output: ReportOutputOptions) async throws {
        let format = output.chosenFormat
        var parameters = parameters + [("format", format.rawValue)]
        if format == .table, let terminal = output.style.parameter {
            parameters.append(("terminal", terminal))
        }
        let report: RemoteReport
        do {
            report = try await self.report(path, parameters)
        } catch let mistake as RejectedQuestion {
            note("Error: \(sentence(mistake.description))")
            throw ExitCode.validationFailure
        }
        report.notes.forEach(note)
        // The terminal gets no control characters from anybody.
        try output.write(format == .table ? TerminalText.text(of: report.lines) : report.text)
        if format == .table, isatty(STDOUT_FILENO) == 1 { note(page(path, parameters, of: report.app)) }
        if !report.notes.isEmpty { note("Asked: \(profile.server) (profile \(name)).") }
    }

    /// The address of the report's page in the console. The app's first page is that of today.
    private func page(_ path: String, _ parameters: ReportParameters, of app: String) -> String {
        let ownOfCommand = ["app", "format", "terminal", "limit"]
        let query = queryText(parameters.filter { !ownOfCommand.contains($0.name) })
        let place = path == "today" ? "" : "/\(path)"
        return "\(profile.pages)/apps/\(app.queryEncoded)\(place)\(query.isEmpty ? "" : "?" + query)"
    }
}
