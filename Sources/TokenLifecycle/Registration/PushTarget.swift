public import DeliveryModel
internal import Instants
internal import PostgresClient

/// The target of a push, as known to the database.
public struct PushTarget: Hashable, Sendable {
    /// `nil` for a channel without tokens.
    public var token: Token?
    /// `nil` if only a sender knows the token.
    public var installationID: Int64?
    /// Traits of the installation; all empty if there is none.
    public var traits: InstallationTraits
    /// The topic of the token, even if the address names none; empty without a token.
    public var topic = ""
    /// The kind that the token was registered or discovered as; `nil` without a token.
    public var kind: TokenKind?
    /// Whether an app has registered the value under another topic, environment or provider. `nil` if that was not checked: only
    /// the first few tokens of a batch are, and only those that no app has registered.
    public var isRegisteredElsewhere: Bool?
}

/// The traits of an installation at the time of a push, for breakdowns; empty if unknown.
public struct InstallationTraits: Hashable, Sendable {
    public var platform = ""
    public var appVersion = ""
    public var osVersion = ""
    public var language = ""
    public var permission = ""

    public init() {}
}

/// A token address within its app.
public struct AppTokenAddress: Hashable, Sendable {
    public var appID: Int64
    public var address: TokenAddress

    public init(appID: Int64, address: TokenAddress) {
        self.appID = appID
        self.address = address
    }
}

extension Token {
    /// Reads the columns of `read_tokens.sql` from the given position on.
    static func all(in rows: PostgresRows, from column: Int) throws -> [Token] {
        let tokenIDs: [Int64] = try rows.column(column)
        let states: [String] = try rows.column(column + 1)
        let installationIDs: [Int64?] = try rows.optionalColumn(column + 2)
        let lastRegisteredAt: [Instant?] = try rows.optionalColumn(column + 3)
        let lastAcceptedAt: [Instant?] = try rows.optionalColumn(column + 4)
        let firstRejectedAt: [Instant?] = try rows.optionalColumn(column + 5)
        let lastRejectedAt: [Instant?] = try rows.optionalColumn(column + 6)
        let causes: [String?] = try rows.optionalColumn(column + 7)
        let diedAt: [Instant?] = try rows.optionalColumn(column + 8)
        return try tokenIDs.indices.map { index in
            var token = Token(tokenID: tokenIDs[index], state: try TokenState(known: states[index]))
            token.installationID = installationIDs[index]
            token.lastRegisteredAt = lastRegisteredAt[index]
            token.lastAcceptedAt = lastAcceptedAt[index]
            token.firstRejectedAt = firstRejectedAt[index]
            token.lastRejectedAt = lastRejectedAt[index]
            token.cause = try causes[index].map { try TokenRule(known: $0) }
            token.diedAt = diedAt[index]
            return token
        }
    }
}

extension PushTarget {
    /// Reads the columns of `resolve_tokens.sql` from the given position on.
    static func all(in rows: PostgresRows, from column: Int) throws -> [PushTarget] {
        let tokens = try Token.all(in: rows, from: column)
        let platforms: [String?] = try rows.optionalColumn(column + 9)
        let appVersions: [String?] = try rows.optionalColumn(column + 10)
        let osVersions: [String?] = try rows.optionalColumn(column + 11)
        let languages: [String?] = try rows.optionalColumn(column + 12)
        let permissions: [String?] = try rows.optionalColumn(column + 13)
        let kinds: [String] = try rows.column(column + 14)
        return tokens.indices.map { index in
            var traits = InstallationTraits()
            traits.platform = platforms[index] ?? ""
            traits.appVersion = appVersions[index] ?? ""
            traits.osVersion = osVersions[index] ?? ""
            traits.language = languages[index] ?? ""
            traits.permission = permissions[index] ?? ""
            return PushTarget(
                token: tokens[index], installationID: tokens[index].installationID, traits: traits,
                kind: TokenKind(rawValue: kinds[index]))
        }
    }
}

extension InstallationTraits {
    init(_ row: PostgresRow, from column: Int) throws {
        platform = try row.getOptional(column) ?? ""
        appVersion = try row.getOptional(column + 1) ?? ""
        osVersion = try row.getOptional(column + 2) ?? ""
        language = try row.getOptional(column + 3) ?? ""
        permission = try row.getOptional(column + 4) ?? ""
    }
}
