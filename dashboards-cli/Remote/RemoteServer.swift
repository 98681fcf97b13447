internal import Foundation
internal import Wording

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The server of a profile.
struct RemoteServer: Sendable {
    /// The profile's name.
    let name: String
    let profile: Profile

    /// How long a request that gets 503 is repeated.
    private static let patience = Duration.seconds(20)

    /// Asks for a report: `GET /v1/reports/…`.
    ///
    /// - Parameters:
    ///   - path: the last parts of the report's path, such as `funnel`.
    ///   - parameters: in order; a name may be repeated.
    /// - Throws: ``RemoteProblem``
    func report(_ path: String, _ parameters: [(name: String, value: String)]) async throws -> RemoteReport {
        let query = parameters.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }
        guard let url = URL(string: "\(profile.server)/v1/reports/\(path)?\(query.joined(separator: "&"))")
        else {
            throw problem(.unreachable(reason: "the address is not valid"))
        }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(profile.key)", forHTTPHeaderField: "Authorization")
        // A stored response would not be checked again with another key.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (body, response) = try await patientResponse(to: request)
        guard response.statusCode == 200 else { throw problem(RemoteProblem.Kind(response, body)) }
        guard let report = RemoteReport(response, body) else { throw problem(.notLandfall(status: 200)) }
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
        let configuration = URLSessionConfiguration.ephemeral
        // A report may wait for others and then take the server's limit, which is 10 s unless its operator raised it.
        configuration.timeoutIntervalForRequest = 120
        exemptThisMachineFromProxies()
        let session = URLSession(configuration: configuration, delegate: NoRedirection(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        do {
            let (body, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw problem(.notLandfall(status: 0)) }
            return (body, response)
        } catch let error as URLError {
            throw problem(.unreachable(reason: error.localizedDescription))
        }
    }

    private func problem(_ kind: RemoteProblem.Kind) -> RemoteProblem {
        RemoteProblem(name: name, server: profile.server, kind: kind)
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
