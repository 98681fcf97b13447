public import DeliveryModel
internal import PostgresClient

/// The number of tokens, or installations, in each state. Each is in exactly one.
public struct StateCounts: Hashable, Sendable {
    private var counts: [TokenState: Int64]

    public init(_ counts: [TokenState: Int64] = [:]) {
        self.counts = counts.filter { $0.value != 0 }
    }

    public subscript(state: TokenState) -> Int64 {
        get { counts[state, default: 0] }
        set { counts[state] = newValue == 0 ? nil : newValue }
    }

    /// The number of all that are known.
    public var known: Int64 { counts.values.reduce(0, +) }

    /// The counts after these moves.
    func moved(by moves: [TokenMove: Int64]) -> StateCounts {
        var moved = self
        for (move, count) in moves {
            if let from = move.from { moved[from] -= count }
            moved[move.to] += count
        }
        return moved
    }

    /// `{"active":…,"suspect":…,"stale":…,"retired":…}`
    var json: JSONValue {
        .object(TokenState.allCases.map { .init($0.rawValue, .integer(self[$0])) })
    }

    /// The installations of an app in each state right before an instant.
    ///
    /// - Parameter knownAt: rows of the ledger that were decided later are ignored.
    static func installations(
        of appID: Int64, asOf instant: Instant, knownAt: Instant, on connection: PostgresConnection
    ) throws -> StateCounts {
        var counts = StateCounts()
        let rows = try connection.query(
            .Tokens.installationsAsOf,
            [
                .value(appID), .value(instant), .array(TokenKind.alerting.map(\.rawValue)), .value(knownAt),
            ])
        for row in rows { counts[try row.get("state")] += try row.get("installations", as: Int64.self) }
        return counts
    }

    /// The tokens that show notifications, counted in the same way.
    static func tokens(
        of appID: Int64, asOf instant: Instant, knownAt: Instant, on connection: PostgresConnection
    ) throws -> StateCounts {
        var counts = StateCounts()
        let kinds = Set(TokenKind.alerting.map(\.rawValue))
        let rows = try connection.query(
            .Tokens.tokensAsOf, [.value(appID), .value(instant), .value(knownAt)])
        for row in rows {
            guard kinds.contains(try row.get("kind", as: String.self)) else { continue }
            counts[try row.get("state")] += try row.get("tokens", as: Int64.self)
        }
        return counts
    }
}

/// A move from one state to another by a rule.
public struct TokenMove: Hashable, Sendable {
    /// `nil` if it was not known before.
    public let from: TokenState?
    public let to: TokenState
    /// As named in the ledger: a later version may have other rules.
    public let rule: String

    private static let migration = TokenRule.providerMigration.rawValue

    /// The effect on the number of active ones; `nil` if there is none.
    public var flow: ActiveFlow? {
        switch (from, to) {
        case (let from, .active) where rule == Self.migration && from != .active: .migrated
        case (.active, .retired) where rule == Self.migration: .migrated
        case (nil, .active): .registered
        case (.active, .active): nil
        case (_, .active): .revived
        case (.active, .stale): .stale
        case (.active, .suspect): .suspect
        case (.active, .retired): rule == TokenRule.rotated.rawValue ? .rotated : .retired(rule)
        default: nil
        }
    }
}

/// The flows that increase or decrease the number of active tokens, or installations.
public enum ActiveFlow: Hashable, Sendable {
    /// Not known before.
    case registered
    /// Suspect, stale or retired before.
    case revived
    /// Another value took its slot.
    case rotated
    /// Values of one kind took the slots of another: the increase less the decrease, usually 0.
    case migrated
    /// Retired by another rule.
    case retired(String)
    case stale
    case suspect

    /// Whether it increases the number.
    public var isGain: Bool { [.registered, .revived, .migrated].contains(self) }

    /// The rule that retired them; `nil` for other flows.
    public var cause: String? {
        guard case .retired(let rule) = self else { return nil }
        return rule
    }

    /// The order for people; causes of retirement are sorted by name.
    public static func inOrder(_ flows: Set<ActiveFlow>) -> [ActiveFlow] {
        let causes = flows.compactMap(\.cause).sorted()
        return [.registered, .revived, .rotated, .migrated] + causes.map(Self.retired) + [.stale, .suspect]
    }
}
