internal import DeliveryModel
internal import PostgresClient

/// The token values of a registration that are new to the app, with the facts about its installation that
/// decide whether they need a proof.
///
/// Anyone can register invented values with the public device key. An honest device needs one value of each
/// kind, and occasionally a new one. So a few values of each kind are believed without a proof, and the
/// others wait until a provider accepts a push to one of the installation's tokens.
struct NewValues {
    /// The maximum number of values of each kind that an installation may have in feeds before a push to it
    /// is accepted: an app may have a second topic, service worker or environment.
    static let believedOfKind: Int64 = 2
    /// The maximum number for all kinds together. There are many kinds, and an app uses a few of them.
    static let believed: Int64 = 6

    /// The maximum number of new values that an installation may register within 24 hours. Each Live Activity
    /// has values of its own.
    static func perDay(_ kind: TokenKind) -> Int {
        kind == .liveActivityUpdate ? 50 : 5
    }

    /// The number of new values by kind.
    private(set) var counts: [TokenKind: Int] = [:]
    /// The number of values that the installation registered within the past 24 hours, by kind.
    private(set) var recent: [TokenKind: Int] = [:]
    /// Whether a provider accepted a push to one of the installation's tokens.
    private(set) var isProven = false
    private(set) var hasUnproven = false

    init(counts: [TokenKind: Int] = [:], recent: [TokenKind: Int] = [:], isProven: Bool = false) {
        (self.counts, self.recent, self.isProven) = (counts, recent, isProven)
    }

    /// - Parameter installationID: `nil` if the installation is new.
    init(
        among tokens: [ListedToken], appID: Int64, installationID: Int64?, now: Instant,
        on connection: PostgresConnection
    ) throws {
        guard !tokens.isEmpty else { return }
        let found = try connection.query([
            PostgresStatement(.Tokens.findNewValues, [.value(appID), .array(tokens.map(\.fingerprint))]),
            PostgresStatement(
                .Tokens.findOwnValues, [.value(appID), .value(installationID), .value(now - .days(1))]),
        ])
        for row in found[0] {
            counts[tokens[try row.askedIndex].posted.kind, default: 0] += 1
        }
        for row in found[1] {
            guard let kind = TokenKind(rawValue: try row.get("kind")) else { continue }
            recent[kind] = Int(try row.get("recent", as: Int64.self))
            isProven = try isProven || row.get("is_proven")
            hasUnproven = try hasUnproven || row.get("has_unproven")
        }
    }

    var count: Int { counts.values.reduce(0, +) }

    /// Checks whether a registration may add the values.
    ///
    /// - Parameter mayAdd: whether an unproven installation may add values.
    /// - Throws: ``DeviceRegistryError``.
    func check(mayAdd: () -> Bool) throws(DeviceRegistryError) {
        if let kind = excessive { throw .tooManyValues(kind) }
        guard isProven || count == 0 || mayAdd() else { throw .mayNotAddValues }
    }

    /// The kind that has too many new values; `nil` if there is none.
    var excessive: TokenKind? {
        TokenKind.allCases.first { kind in
            counts[kind, default: 0] > 0
                && counts[kind, default: 0] + recent[kind, default: 0] > Self.perDay(kind)
        }
    }
}

extension TokenRegistration {
    /// Decides which tokens of the installation are unproven, and records in the ledger which enter or leave
    /// the feeds by that. A value that comes from another installation counts as a new one: otherwise two of
    /// them could keep any number in the feeds.
    func settleProofs(_ values: NewValues, _ registered: [RegisteredToken]) throws {
        let hasTransferred = registered.contains { $0.change == .transferred }
        guard values.hasUnproven || hasTransferred || values.count > 0 && !values.isProven else { return }
        let rows = try connection.query(
            .Tokens.settleProofs,
            [
                .value(appID), .value(installationID), .value(values.isProven),
                .value(NewValues.believedOfKind), .value(NewValues.believed),
            ])
        let evidence = LedgerEvidence(registeredAt: registeredAt, toInstallationID: installationID)
        let new = Set(registered.filter(\.isNew).compactMap(\.tokenID))
        let settled = try rows.compactMap { row -> TokenTransition? in
            let tokenID: Int64 = try row.get("token_id")
            // No feed has ever contained it.
            guard try !(new.contains(tokenID) && row.get("is_unproven")) else { return nil }
            let state: TokenState = try row.get("state")
            return TokenTransition(
                appID: appID, tokenID: tokenID, from: state,
                change: TokenChange(to: state, rule: .registered), evidence: evidence)
        }
        try connection.record(settled, now: now)
    }
}
