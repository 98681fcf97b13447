public import DeliveryModel
internal import PostgresClient

/// What a push went to, as the database knows it.
public struct PushTarget: Hashable, Sendable {
    /// Nil for a channel without tokens.
    public var token: Token?
    /// Nil while only a sender knows the token.
    public var installationID: Int64?
    /// Traits of the installation; all empty without one.
    public var traits: InstallationTraits
}

/// What breakdowns know about an installation at the time of a push; empty where unknown.
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
    init(_ row: PostgresRow, from column: Int) throws {
        let state = try row.get(column + 1, as: String.self)
        self.init(tokenID: try row.get(column), state: TokenState(rawValue: state) ?? .suspect)
        installationID = try row.getOptional(column + 2)
        lastRegisteredAt = try row.getOptional(column + 3)
        lastAcceptedAt = try row.getOptional(column + 4)
        firstRefusedAt = try row.getOptional(column + 5)
        lastRefusedAt = try row.getOptional(column + 6)
        cause = try row.getOptional(column + 7, as: String.self).flatMap(TokenRule.init)
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
