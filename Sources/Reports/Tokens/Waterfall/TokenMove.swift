public import DeliveryModel

/// From one state to another, by a rule.
public struct TokenMove: Hashable, Sendable {
    /// Nil when it was not known before.
    public let from: TokenState?
    public let to: TokenState
    /// As the ledger names it: a later version may know other rules.
    public let rule: String

    public init(from: TokenState?, to: TokenState, rule: String) {
        self.from = from
        self.to = to
        self.rule = rule
    }

    /// What it means to the number of active ones; nil when it leaves that as it is.
    public var flow: ActiveFlow? {
        switch (from, to) {
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

/// What makes the number of active tokens, or installations, grow and shrink.
public enum ActiveFlow: Hashable, Sendable {
    /// Not known before.
    case registered
    /// Suspect, stale or retired before.
    case revived
    /// Another value took its slot.
    case rotated
    /// By another rule.
    case retired(String)
    case stale
    case suspect

    /// Whether it makes the number grow.
    public var isGain: Bool { self == .registered || self == .revived }

    /// The rule that retired them; nil for other flows.
    public var cause: String? {
        guard case .retired(let rule) = self else { return nil }
        return rule
    }

    /// The order in which people read them; causes of retirement by name.
    public static func inOrder(_ flows: Set<ActiveFlow>) -> [ActiveFlow] {
        let causes = flows.compactMap(\.cause).sorted()
        return [.registered, .revived, .rotated] + causes.map(Self.retired) + [.stale, .suspect]
    }
}
