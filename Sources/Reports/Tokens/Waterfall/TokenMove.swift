public import DeliveryModel

/// A move from one state to another by a rule.
public struct TokenMove: Hashable, Sendable {
    /// `nil` if it was not known before.
    public let from: TokenState?
    public let to: TokenState
    /// As named in the ledger: a later version may have other rules.
    public let rule: String

    /// The effect on the number of active ones; `nil` if there is none.
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

/// The flows that increase or decrease the number of active tokens, or installations.
public enum ActiveFlow: Hashable, Sendable {
    /// Not known before.
    case registered
    /// Suspect, stale or retired before.
    case revived
    /// Another value took its slot.
    case rotated
    /// Retired by another rule.
    case retired(String)
    case stale
    case suspect

    /// Whether it increases the number.
    public var isGain: Bool { self == .registered || self == .revived }

    /// The rule that retired them; `nil` for other flows.
    public var cause: String? {
        guard case .retired(let rule) = self else { return nil }
        return rule
    }

    /// The order for people; causes of retirement are sorted by name.
    public static func inOrder(_ flows: Set<ActiveFlow>) -> [ActiveFlow] {
        let causes = flows.compactMap(\.cause).sorted()
        return [.registered, .revived, .rotated] + causes.map(Self.retired) + [.stale, .suspect]
    }
}
