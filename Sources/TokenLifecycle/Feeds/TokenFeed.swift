public import DeliveryModel
internal import Foundation
public import PostgresClient
internal import Trust
public import Vault

/// The tokens that a sender requests.
public struct FeedFilter: Hashable, Sendable {
    /// In any order; all states for `state=any`.
    public var states: [TokenState] = [.active]
    /// Only tokens of installations on which this account is signed in.
    public var account: String?
    /// Only tokens of installations with this tag.
    public var tag: String?

    public init() {}
}

/// A token for a sender, including its value.
public struct FedToken: Sendable {
    public let tokenID: Int64
    public let value: [UInt8]
    public let provider: String
    public let kind: String
    public let environment: String
    public let topic: String
    public let state: String
    /// `nil` if no app ever registered it.
    public let registeredAt: Instant?
    /// The time at which the value expires, according to the app.
    public let expiresAt: Instant?
    /// In lower case; `nil` if only a sender knows the token.
    public let deviceID: String?
    public let account: String?
    /// `nil` if it is no Web Push subscription, or the app registered it without keys.
    public let keys: WebPushKeys?
}

/// Pages through the tokens of an app in the order of their ids. Whatever changes meanwhile, no token comes
/// twice and no unchanged token is left out. Changes are in the ``ChangeFeed`` from ``Page/changesAfter`` on.
///
/// Tokens whose values were swept, erased or have expired are left out.
public struct TokenFeed: Sendable {
    public struct Page: Sendable {
        public var tokens: [FedToken]
        /// `nil` after the last page.
        public var next: FeedCursor?
        /// The newest row of the ledger when the first page was read; 0 if there was none.
        public var changesAfter: Int64
        /// ``LedgerRow/proof`` of that row; `nil` if there is none, and after the first page.
        public var proof: String?
    }

    public static let defaultLimit = 1_000
    public static let greatestLimit = 10_000

    private let vault: TokenVault

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// - Parameters:
    ///   - cursor: `nil` for the first page.
    ///   - limit: the most tokens to return; a page may be shorter although another follows.
    public func page(
        of appID: Int64, _ filter: FeedFilter, after cursor: FeedCursor?, limit: Int, now: Instant,
        on connection: PostgresConnection
    ) throws -> Page {
        let newest = cursor == nil ? try ChangeFeed.last(of: appID, on: connection) : nil
        let changesAfter = cursor?.changesAfter ?? newest?.transitionID ?? 0
        // A tag may be rare: a page reads many tokens, but not all.
        let lookedAt = filter.tag == nil || filter.account != nil ? limit : Self.greatestLimit
        let rows = try connection.query(
            filter.account == nil ? .Tokens.pageTokens : .Tokens.pageTokensOfAccount,
            [
                .value(appID), .array(filter.states.map(\.rawValue)), .value(cursor?.tokenID ?? 0),
                .value(Int64(lookedAt + 1)), .value(now), .value(filter.tag),
            ] + (filter.account.map { [.value($0)] } ?? []))
        var page = Page(tokens: [], next: nil, changesAfter: changesAfter, proof: newest?.proof)
        page.tokens.reserveCapacity(min(rows.count, limit))
        var last = cursor?.tokenID ?? 0
        for (position, row) in rows.enumerated() {
            guard position < lookedAt, page.tokens.count < limit else {
                page.next = FeedCursor(tokenID: last, changesAfter: changesAfter)
                break
            }
            last = try row.get("token_id")
            // A token that was read but does not match has no value.
            guard let sealed: [UInt8] = try row.getOptional("sealed_value") else { continue }
            page.tokens.append(
                FedToken(
                    tokenID: last, value: try vault.open(sealed, from: .token(ofApp: appID)),
                    provider: try row.get("provider"), kind: try row.get("kind"),
                    environment: try row.get("environment"), topic: try row.get("topic"),
                    state: try row.get("state"), registeredAt: try row.getOptional("last_registered_at"),
                    expiresAt: try row.getOptional("expires_at"), deviceID: try row.getOptional("device_id"),
                    account: try row.getOptional("account"),
                    keys: try vault.webPushKeys(of: row, ofApp: appID)))
        }
        return page
    }
}

/// The position of a reader in the token feed.
///
/// Its text is opaque and bound to the app and the filter: the cursor of another query is invalid.
public struct FeedCursor: Hashable, Sendable {
    /// The last token that was read.
    public let tokenID: Int64
    /// The newest row of the ledger when the first page was read.
    public let changesAfter: Int64
}

extension FeedCursor {
    /// The first byte; a later format gets another.
    private static let version: UInt8 = 1
    private static let sealBytes = 16

    private var content: [UInt8] {
        var content = [Self.version]
        for number in [tokenID, changesAfter] {
            withUnsafeBytes(of: number.bigEndian) { content.append(contentsOf: $0) }
        }
        return content
    }

    /// Base64 that can be used in a query string without escaping.
    public func text(of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) -> String {
        Data(content + seal(of: appID, filter, vault)).base64URL
    }

    /// Returns `nil` unless the text is a cursor of this app and filter.
    public init?(_ text: String, of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) {
        guard let bytes = Data(base64URL: text), bytes.count == 17 + Self.sealBytes else { return nil }
        func number(at position: Int) -> Int64 {
            bytes.dropFirst(position).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        }
        self.init(tokenID: number(at: 1), changesAfter: number(at: 9))
        guard Array(bytes) == content + seal(of: appID, filter, vault) else { return nil }
    }

    private func seal(of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) -> [UInt8] {
        // No field can contain a NUL, so the fields stay distinct.
        let owner = [
            String(appID), filter.states.map(\.rawValue).joined(separator: ","),
            filter.account.map { "=\($0)" } ?? "",
            filter.tag.map { "=\($0)" } ?? "",
        ].joined(separator: "\0")
        let mark = vault.fingerprint(of: Data(content + Array(owner.utf8)), purpose: "token feed cursor")
        return Array(mark.prefix(Self.sealBytes))
    }
}
