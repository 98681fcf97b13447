import Foundation
import Synchronization

@testable import Mirror

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The feeds of a server without the server: tokens, a ledger, and what may happen to a request.
final class FakeFeeds: Sendable {
    struct Token: Equatable {
        var value: String?
        var state: String
        var device: String?
    }

    struct Transition {
        var number: Int64
        var at: String
        var tokenID: Int64
        var to: String
        var rule: String
    }

    struct State {
        var app = "shop"
        var tokens: [Int64: Token] = [:]
        var ledger: [Transition] = []
        /// Transitions that no page shows, as those of unproven tokens.
        var hidden: Set<Int64> = []
        /// The paths of all requests with their queries.
        var requests: [String] = []
        /// Statuses of the next responses instead of pages; 0: the connection breaks.
        var faults: [Int] = []
        /// Happens before each request is responded to.
        var meanwhile: (@Sendable (inout State) -> Void)?

        mutating func note(_ tokenID: Int64, _ to: String, _ rule: String) {
            let number = Int64(ledger.count + 1) * 10
            ledger.append(
                Transition(
                    number: number, at: "2026-03-01T09:30:00.\(String(number).prefix(3))Z", tokenID: tokenID,
                    to: to, rule: rule))
        }

        mutating func register(_ tokenID: Int64, device: String? = nil) {
            tokens[tokenID] = Token(
                value: "value-\(tokenID)", state: "active", device: device ?? "device-\(tokenID)")
            note(tokenID, "active", "registered")
        }

        mutating func move(_ tokenID: Int64, to state: String) {
            tokens[tokenID]?.state = state
            note(tokenID, state, "judged")
        }

        mutating func erase(_ tokenID: Int64) {
            tokens[tokenID]?.value = nil
            move(tokenID, to: "retired")
        }
    }

    let state = Mutex(State())

    var client: FeedClient {
        FeedClient(server: "http://feeds.test", key: "lf_server_key") { [self] in try response(to: $0) }
    }

    func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

    /// What a table in step contains.
    var rows: [MirrorRow] {
        state.withLock { state in
            state.tokens.compactMap { tokenID, token in
                token.value.map {
                    MirrorRow(tokenID: tokenID, value: $0, state: token.state, device: token.device)
                }
            }.sorted { $0.tokenID < $1.tokenID }
        }
    }

    var requests: [String] { state.withLock(\.requests) }

    private func response(to request: URLRequest) throws -> (Data, HTTPURLResponse) {
        let url = try Require.some(request.url)
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        let (status, document): (Int, [String: Any]) = try state.withLock { state in
            state.meanwhile?(&state)
            state.requests.append("\(url.path)?\(url.query ?? "")")
            if !state.faults.isEmpty {
                let fault = state.faults.removeFirst()
                guard fault != 0 else { throw URLError(.networkConnectionLost) }
                return (fault, ["code": "fault", "detail": "a fault"])
            }
            return url.path == "/v1/tokens" ? state.tokenPage(query) : state.changePage(query)
        }
        let headers = ["Landfall-App": state.withLock(\.app), "Retry-After": "7"]
        let response = try Require.some(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers))
        return (try JSONSerialization.data(withJSONObject: document), response)
    }
}

/// A row of the sender's table.
struct MirrorRow: Equatable {
    var tokenID: Int64
    var value: String
    var state: String
    var device: String?
}

enum Require {
    struct Missing: Error {}

    static func some<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }
}

extension FakeFeeds.State {
    private static var unknown: (Int, [String: Any]) {
        (400, ["code": "invalid_cursor", "detail": "unknown"])
    }

    private func fields(_ tokenID: Int64) -> [String: Any] {
        let token = tokens[tokenID]
        return [
            "token_id": tokenID, "state": token?.state ?? "", "value": token?.value ?? NSNull(),
            "provider": "apns", "kind": "alert",
            "environment": "production", "topic": "com.example.shop", "device_id": token?.device ?? NSNull(),
        ]
    }

    /// The proof of a row, which says more than its number.
    private func proof(_ number: Int64?) -> String? {
        ledger.first { $0.number == number }.map { "\($0.tokenID)-\($0.to)-\($0.rule)" }
    }

    /// The cursor is `last-position`.
    fileprivate func tokenPage(_ query: [String: String]) -> (Int, [String: Any]) {
        let cursor = (query["cursor"] ?? "0-\(ledger.last?.number ?? 0)").split(separator: "-")
            .compactMap { Int64($0) }
        guard query["state"] == "any", let limit = Int(query["limit"] ?? ""), cursor.count == 2 else {
            return Self.unknown
        }
        let all = tokens.filter { $0.key > cursor[0] && $0.value.value != nil }.keys.sorted()
        let page = all.prefix(limit)
        var document: [String: Any] = [
            "changes_after": cursor[1],
            "tokens": page.map(fields),
        ]
        if query["cursor"] == nil { document["proof"] = proof(cursor[1]) }
        if all.count > page.count { document["next_cursor"] = "\(page.last ?? 0)-\(cursor[1])" }
        return (200, document)
    }

    fileprivate func changePage(_ query: [String: String]) -> (Int, [String: Any]) {
        guard let after = Int64(query["after"] ?? ""), let limit = Int(query["limit"] ?? ""),
            after == 0 || ledger.contains(where: { $0.number == after }),
            query["proof"] == nil || query["proof"] == proof(after)
        else { return Self.unknown }
        let page = ledger.drop { $0.number <= after }.prefix(limit)
        let shown = page.filter { !hidden.contains($0.number) }.map { row in
            fields(row.tokenID).merging([
                "transition_id": row.number, "at": row.at, "from": NSNull(), "to": row.to, "rule": row.rule,
            ]) { $1 }
        }
        let next = page.last?.number ?? after
        return (
            200,
            [
                "changes": shown, "next_after": next, "proof": proof(next) ?? NSNull(),
                "has_more": page.count == limit,
            ]
        )
    }
}
