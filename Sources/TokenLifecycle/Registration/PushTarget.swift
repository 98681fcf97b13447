public import DeliveryModel
internal import PostgresClient

public struct PushTarget: Hashable, Sendable {
    /// `nil` for a channel without tokens.
    public var token: Token?
    /// `nil` if only a sender knows the token.
    public var installationID: Int64?
    /// Traits of the installation; all empty if there is none.
    public var traits: InstallationTraits
    /// The registered place of the token, not the one that the response names; `nil` without a token.
    public var place: TokenPlace?
    /// The kind that the token was registered or discovered as; `nil` without a token.
    public var kind: TokenKind?
    /// Whether several registered tokens have the value, and the response does not name the topic.
    public var isAmbiguous = false

    /// Whether a response under this address is about the token, and may change it.
    public func isMeant(by address: TokenAddress) -> Bool {
        guard let place else { return true }
        return !isAmbiguous && place.concerns(TokenPlace(address))
    }

    /// The place that a response names, if it differs from the token's.
    public func otherPlace(in address: TokenAddress) -> TokenPlace? {
        let posted = TokenPlace(address)
        guard let place else { return nil }
        guard !isAmbiguous else { return posted }
        let isSame =
            posted.provider == place.provider && posted.environment == place.environment
            && (posted.topic == place.topic || posted.topic.isEmpty || place.topic.isEmpty)
        return isSame ? nil : posted
    }
}

extension TokenPlace {
    init(_ address: TokenAddress) {
        self.init(provider: address.provider, environment: address.environment, topic: address.topic)
    }
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

public struct AppTokenAddress: Hashable, Sendable {
    public var appID: Int64
    public var address: TokenAddress

    public init(appID: Int64, address: TokenAddress) {
        self.appID = appID
        self.address = address
    }
}

extension Token {
    /// Reads the columns of `read_tokens`.
    static func all(in rows: PostgresRows) throws -> [Token] {
        let tokenIDs: [Int64] = try rows.column("token_id")
        let states: [String] = try rows.column("state")
        let installationIDs: [Int64?] = try rows.optionalColumn("installation_id")
        let lastRegisteredAt: [Instant?] = try rows.optionalColumn("last_registered_at")
        let lastAcceptedAt: [Instant?] = try rows.optionalColumn("last_accepted_at")
        let firstRejectedAt: [Instant?] = try rows.optionalColumn("first_rejected_at")
        let lastRejectedAt: [Instant?] = try rows.optionalColumn("last_rejected_at")
        let causes: [String?] = try rows.optionalColumn("cause")
        let diedAt: [Instant?] = try rows.optionalColumn("died_at")
        let isVouched: [Bool] = try rows.column("is_vouched")
        let isUnproven: [Bool] = try rows.column("is_unproven")
        let firstIgnoredAt: [Instant?] = try rows.optionalColumn("first_ignored_at")
        let ignoredCounts: [Int64] = try rows.column("ignored_count")
        let returnedAt: [Instant?] = try rows.optionalColumn("returned_at")
        return try tokenIDs.indices.map { index in
            var token = Token(tokenID: tokenIDs[index], state: try TokenState(known: states[index]))
            token.installationID = installationIDs[index]
            token.lastRegisteredAt = lastRegisteredAt[index]
            token.lastAcceptedAt = lastAcceptedAt[index]
            token.firstRejectedAt = firstRejectedAt[index]
            token.lastRejectedAt = lastRejectedAt[index]
            token.cause = try causes[index].map { try TokenRule(known: $0) }
            token.diedAt = diedAt[index]
            token.isVouched = isVouched[index]
            token.isUnproven = isUnproven[index]
            token.firstIgnoredAt = firstIgnoredAt[index]
            token.ignoredCount = ignoredCounts[index]
            token.returnedAt = returnedAt[index]
            return token
        }
    }
}

extension PushTarget {
    /// Reads the columns of `resolve_tokens`, except the position.
    static func all(in rows: PostgresRows) throws -> [PushTarget] {
        let tokens = try Token.all(in: rows)
        let platforms: [String?] = try rows.optionalColumn("platform")
        let appVersions: [String?] = try rows.optionalColumn("app_version")
        let osVersions: [String?] = try rows.optionalColumn("os_version")
        let languages: [String?] = try rows.optionalColumn("language")
        let permissions: [String?] = try rows.optionalColumn("permission")
        let kinds: [String] = try rows.column("kind")
        return tokens.indices.map { index in
            var known = InstallationTraits()
            known.platform = platforms[index] ?? ""
            known.appVersion = appVersions[index] ?? ""
            known.osVersion = osVersions[index] ?? ""
            known.language = languages[index] ?? ""
            known.permission = permissions[index] ?? ""
            return PushTarget(
                token: tokens[index], installationID: tokens[index].installationID, traits: known,
                kind: TokenKind(rawValue: kinds[index]))
        }
    }
}

extension InstallationTraits {
    init(_ row: PostgresRow) throws {
        platform = try row.getOptional("platform") ?? ""
        appVersion = try row.getOptional("app_version") ?? ""
        osVersion = try row.getOptional("os_version") ?? ""
        language = try row.getOptional("language") ?? ""
        permission = try row.getOptional("permission") ?? ""
    }
}
