public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Reads the feeds of a server with a server key.
public struct FeedClient: Sendable {
    /// Sends a request and returns the response, whatever its status. Follows no redirection.
    public typealias Send = @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)

    private let server: String
    private let key: String
    private let send: Send

    /// - Parameter server: `https://push.example.com`, with no slash at its end.
    public init(server: String, key: String, send: @escaping Send) {
        self.server = server
        self.key = key
        self.send = send
    }

    /// The server has no such row in the app's ledger, or another one than the proof is of, or the cursor is
    /// one of another query.
    struct UnknownPosition: Error {}

    /// A page, and the app of the key.
    struct Page<Content: Sendable>: Sendable {
        let app: String
        let content: Content
    }

    /// All tokens, page by page.
    ///
    /// - Throws: ``UnknownPosition``, `MirrorTrouble`, ``MirrorError``.
    func tokens(cursor: String?, limit: Int) async throws -> Page<TokenPage> {
        // A cursor is Base64 that needs no escaping.
        let place = cursor.map { "&cursor=\($0)" } ?? ""
        return try await read("/v1/tokens?state=any&limit=\(limit)\(place)")
    }

    /// The changes after a row of the ledger.
    ///
    /// - Parameters:
    ///   - proof: what the server returned with the number of that row. It needs no escaping.
    ///   - wait: how many seconds the server may wait for a change.
    /// - Throws: as ``tokens(cursor:limit:)``.
    func changes(
        after: Int64, proof: String?, limit: Int, wait: Int? = nil
    ) async throws -> Page<ChangePage> {
        let parts = [proof.map { "&proof=\($0)" }, wait.map { "&wait=\($0)" }].compactMap(\.self)
        return try await read("/v1/token-changes?after=\(after)&limit=\(limit)\(parts.joined())")
    }

    private func read<Content: Decodable & Sendable>(_ path: String) async throws -> Page<Content> {
        guard let url = URL(string: server + path) else {
            throw MirrorError.mistake("'\(server)' is not the address of a server")
        }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (body, response) = try await response(to: request)
        guard response.statusCode == 200 else { throw problem(response, body) }
        guard let app = response.value(forHTTPHeaderField: "Landfall-App") else { throw notLandfall(200) }
        do {
            return Page(app: app, content: try JSONDecoder().decode(Content.self, from: body))
        } catch {
            // The error itself could quote a token.
            throw MirrorTrouble(reason: "\(server) sent a page that cannot be read")
        }
    }

    private func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            return try await send(request)
        } catch {
            try Task.checkCancellation()
            throw MirrorTrouble(reason: "\(server) cannot be reached: \(error.localizedDescription)")
        }
    }

    /// The members of a problem (RFC 9457) that a client needs.
    private struct Problem: Decodable {
        let code: String?
        let detail: String?
    }

    /// The reason for a status other than 200, and what to do about it.
    private func problem(_ response: HTTPURLResponse, _ body: Data) -> any Error {
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        let status = response.statusCode
        switch (status, problem?.code, problem?.detail) {
        case (408, _, _), (429, _, _), (500..., _, _):
            let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            return MirrorTrouble(
                reason: "\(server) responds with status \(status)"
                    + (problem?.detail.map { ": \($0)" } ?? ""),
                retryAfter: seconds.map { .seconds(min(max($0, 0), 3_600)) })
        case (400, "invalid_cursor", _): return UnknownPosition()
        case (300..<400, _, _):
            let other = response.value(forHTTPHeaderField: "Location") ?? "another address"
            return MirrorError.failed(
                "\(server) redirects to \(other), and the key is not sent there: name that server with --server"
            )
        case (401, .some, _):
            return MirrorError.failed(
                "\(server) does not accept the key: it was revoked, or is another server's. landfall key create "
                    + "--kind server, run where the database is, prints a new one")
        case (403, .some, let detail?):
            return MirrorError.failed(
                "\(server) does not accept the key: \(detail). landfall key create --kind server, run where the "
                    + "database is, prints one")
        case (_, .some, let detail?):
            return MirrorError.failed("\(server) rejected the request: \(detail) (status \(status))")
        default: return notLandfall(status)
        }
    }

    private func notLandfall(_ status: Int) -> MirrorError {
        .failed(
            "\(server) is not a Landfall server, or something in between responded (status \(status)): check "
                + "--server")
    }
}
