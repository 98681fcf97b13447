internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PostgresClient
internal import TokenLifecycle
internal import Vault

/// `GET /v1/tokens` and `GET /v1/token-changes`, with which a sender keeps its table in sync.
///
/// Values are unsealed and documents are written on the threads of the pool.
struct FeedsController {
    /// How long a request for changes may wait, in seconds: less than most proxies wait for a response.
    static let waits: ClosedRange<Int64> = 0...60

    let cells: Cells
    let vault: TokenVault
    let keys: KeyRing
    let waits: FeedWaits

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.get("tokens", use: tokens)
        group.get("token-changes", use: changes)
    }

    @Sendable
    private func tokens(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server)
        let query = try QueryParameters(query: request.uri.query, plus: .isPlus)
        let filter = try query.filter()
        let limit = try query.limit()
        let appID = credential.app.appID
        let cursor = try query.filled("cursor").map { text in
            guard let cursor = FeedCursor(text, of: appID, filter, vault) else { throw Problem.invalidCursor }
            return cursor
        }
        let cell = try cells[credential.app.cell]
        let now = cell.clock.now
        let document = try await cell.pool.withConnection(attempts: 4) { [vault] connection in
            let page = try TokenFeed(vault: vault)
                .page(of: appID, filter, after: cursor, limit: limit, now: now, on: connection)
            return FeedDocument.tokens(page, next: page.next?.text(of: appID, filter, vault))
        }
        return Response(document, of: credential.app)
    }

    @Sendable
    private func changes(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server)
        let query = try QueryParameters(query: request.uri.query, plus: .isPlus)
        let after = try query.number("after", in: 0...Int64.max) ?? 0
        let proof = try query.filled("proof")
        let limit = try query.limit()
        let seconds = try query.number("wait", in: Self.waits) ?? 0
        let deadline = NIODeadline.now() + .seconds(seconds)
        var page = try await changes(of: credential.app, after: after, proof: proof, limit: limit)
        guard page.isEmpty, seconds > 0 else { return Response(page.document, of: credential.app) }
        // The place is free again when this object is.
        let place = try waits.place(of: credential.app)
        defer { withExtendedLifetime(place) {} }
        var app = credential.app
        while page.isEmpty {
            let ending = await waits.wait(
                for: app, after: page.next, until: deadline, on: context.channel)
            guard ending == .changed else { break }
            // The key may have been revoked meanwhile, or the app may have moved to another cell.
            app = try await presentApp(of: request)
            page = try await changes(of: app, after: page.next, proof: page.proof, limit: limit)
        }
        return Response(page.document, of: app)
    }

    private struct ChangesPage {
        let document: [UInt8]
        /// Whether it has no changes for the reader, and there are none after it.
        let isEmpty: Bool
        let next: Int64
        /// `LedgerRow.proof` of the row with the number `next`, if it is known.
        let proof: String?
    }

    private func changes(
        of app: App, after: Int64, proof: String?, limit: Int
    ) async throws -> ChangesPage {
        do {
            return try await cells[app.cell].pool.withConnection(attempts: 4) { [vault] connection in
                let changes = try ChangeFeed(vault: vault)
                    .changes(of: app.appID, after: after, proof: proof, limit: limit, on: connection)
                let isLast = changes.count < limit
                let next = changes.last?.transitionID ?? after
                let proof = changes.last?.row.proof ?? proof
                return ChangesPage(
                    document: FeedDocument.changes(changes, next: next, proof: proof, hasMore: !isLast),
                    isEmpty: changes.allSatisfy(\.isHidden) && isLast, next: next, proof: proof)
            }
        } catch is ChangeFeed.Failure {
            throw Problem.invalidCursor
        }
    }

    /// The app of the request's key as the database knows it now.
    private func presentApp(of request: Request) async throws -> App {
        guard let digest = request.headers[.authorization].flatMap(KeyDigest.init(authorization:)),
            let credential = try await keys.ask(digest), credential.kind == .server
        else { throw Problem.unauthorized }
        return credential.app
    }
}

/// The documents of the feeds, written by hand: ten thousand tokens per document are too many for an encoder.
enum FeedDocument {
    /// `{"tokens":[…],"changes_after":17,"proof":"…","next_cursor":"…"}`; the proof is on the first page, and
    /// the cursor is absent at the end.
    static func tokens(_ page: TokenFeed.Page, next: String?) -> [UInt8] {
        var json = JSONBytes(capacity: 64 + page.tokens.count * 400)
        json.raw(#"{"tokens":["#)
        for (position, token) in page.tokens.enumerated() {
            json.raw(position == 0 ? "{" : ",{")
            json.member("token_id", token.tokenID)
            json.member("value", token.value)
            json.member("provider", token.provider)
            json.member("kind", token.kind)
            json.member("environment", token.environment)
            json.member("topic", token.topic)
            json.member("state", token.state)
            json.member("device_id", token.deviceID)
            json.member("account", token.account)
            json.member("registered_at", token.registeredAt?.rfc3339)
            if let expiresAt = token.expiresAt { json.member("expires_at", expiresAt.rfc3339) }
            json.members(token.keys)
            json.raw("}")
        }
        json.raw("]")
        json.member("changes_after", page.changesAfter)
        if let proof = page.proof { json.member("proof", proof) }
        if let next { json.member("next_cursor", next) }
        json.raw("}")
        return json.bytes
    }

    /// `{"changes":[…],"next_after":17,"proof":"…","has_more":false}`; if there are no changes, number and
    /// proof are those of the request. Hidden changes are left out, and `next_after` passes them.
    static func changes(_ changes: [FedChange], next: Int64, proof: String?, hasMore: Bool) -> [UInt8] {
        var json = JSONBytes(capacity: 64 + changes.count * 400)
        json.raw(#"{"changes":["#)
        for (position, change) in changes.lazy.filter({ !$0.isHidden }).enumerated() {
            json.raw(position == 0 ? "{" : ",{")
            json.member("transition_id", change.transitionID)
            json.member("at", change.at.rfc3339)
            json.member("from", change.from)
            json.member("to", change.to)
            json.member("rule", change.rule)
            json.member("token_id", change.tokenID)
            json.member("state", change.state)
            json.member("value", change.value)
            json.member("provider", change.provider)
            json.member("kind", change.kind)
            json.member("environment", change.environment)
            json.member("topic", change.topic)
            json.member("device_id", change.deviceID)
            json.members(change.keys)
            if let successorID = change.successorID { json.member("replaced_by", successorID) }
            json.raw("}")
        }
        json.raw("]")
        json.member("next_after", next)
        if let proof { json.member("proof", proof) }
        json.raw(hasMore ? #","has_more":true}"# : #","has_more":false}"#)
        return json.bytes
    }
}

extension JSONBytes {
    /// The keys of a Web Push subscription; nothing if there are none.
    fileprivate mutating func members(_ keys: WebPushKeys?) {
        guard let keys else { return }
        member("p256dh", keys.p256dh)
        member("auth", keys.auth)
    }
}

/// The query parameters that each feed accepts.
enum FeedQuery {
    static let tokens = ["state", "account", "tag", "cursor", "limit"]
    static let changes = ["after", "proof", "limit", "wait"]
}

extension QueryParameters {
    /// Returns `nil` if the parameter is missing or empty.
    fileprivate func number(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard try filled(name) != nil else { return nil }
        return try number(name, in: range) { _ in
            .unprocessable(
                "invalid_field",
                "\(name) must be a number between \(range.lowerBound) and \(range.upperBound)")
        }
    }

    fileprivate func limit() throws -> Int {
        Int(try number("limit", in: 1...Int64(TokenFeed.greatestLimit)) ?? Int64(TokenFeed.defaultLimit))
    }

    fileprivate func filter() throws -> FeedFilter {
        var filter = FeedFilter()
        if let text = try filled("state") {
            guard let states = text == "any" ? TokenState.allCases : TokenState(rawValue: text).map({ [$0] })
            else {
                let names = TokenState.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.unprocessable("invalid_field", "state must be one of \(names), any")
            }
            filter.states = states
        }
        filter.account = try name("account")
        filter.tag = try name("tag")
        return filter
    }

    /// A filter without a value is a mistake: ignoring it would return everyone's tokens.
    private func name(_ name: String) throws -> String? {
        guard let text = try one(name) else { return nil }
        guard !text.isEmpty else {
            throw Problem.unprocessable("invalid_field", "\(name) is empty: omit it to get all tokens")
        }
        return text.canonicalName
    }
}

extension Problem {
    fileprivate static let invalidCursor = Problem(
        .badRequest, "invalid_cursor",
        "this cursor does not belong to this query: repeat the query that returned it, or begin without one")
}

extension Response {
    /// - Parameter app: the app of the key, whose name a mirror keeps with its rows.
    fileprivate init(_ document: [UInt8], of app: App) {
        // The document contains device tokens, so no proxy may store it.
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let name = HTTPField.Name("Landfall-App") { headers[name] = app.slug }
        self.init(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
