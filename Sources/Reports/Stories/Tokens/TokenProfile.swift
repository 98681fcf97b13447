public import DeliveryModel
public import Foundation
public import PostgresClient

/// A device token as stored in the database. Its value is never read; the fingerprint represents it.
public struct TokenProfile: Hashable, Decodable, Sendable {
    public let tokenID: Int64
    /// HMAC-SHA256 of the value, 64 hex digits.
    public let fingerprint: String
    public let provider: String
    public let environment: String
    /// Empty if unknown.
    public let topic: String
    public let kind: String
    public let state: String
    /// The rule that led to a state other than active.
    public let cause: String?
    public let stateChangedAt: Instant
    /// The token that replaced it in the same slot.
    public let successorID: Int64?
    /// False if the value was erased.
    public let hasValue: Bool
    /// Whether it is the one of its kind, environment and topic that its installation uses.
    public let holdsSlot: Bool
    /// `nil` while only a sender knows it.
    public let installationID: Int64?
    public let deviceID: UUID?
    public let firstSeenAt: Instant
    /// `nil` if no app ever registered it.
    public let lastRegisteredAt: Instant?
    public let lastAcceptedAt: Instant?
    public let firstRejectedAt: Instant?
    public let lastRejectedAt: Instant?
    public let lastSignOfLifeAt: Instant

    /// The number of a fingerprint's hex digits that are shown: enough to tell tokens apart and ask for one.
    public static let shownDigits = 12

    /// `3fa9c1d2e4b5`.
    public var shortFingerprint: String { String(fingerprint.prefix(Self.shownDigits)) }

    /// `APNs alert, production, com.example.shop`.
    public var address: String {
        [Self.kindWords(provider: provider, kind: kind), environment, topic].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// A provider that has only one kind of token is not named twice.
    private static func kindWords(provider: String, kind: String) -> String {
        let name = providerName(provider)
        guard let known = TokenKind(rawValue: kind), known.provider == "apns" || known == .fid else {
            return name
        }
        return "\(name) \(kind)"
    }
}

extension TokenProfile {
    /// The given tokens that belong to the app, in the order in which they became known.
    public static func read(_ tokenIDs: [Int64], _ scope: StoryScope, on connection: PostgresConnection)
        throws -> [TokenProfile]
    {
        try StoryReader(scope: scope, connection: connection).tokens(tokenIDs)
    }

    /// The condition under which it becomes active again, as a sentence; `nil` if it is active.
    public var wayBack: String? {
        guard state != TokenState.active.rawValue else { return nil }
        let rule = cause.flatMap(TokenRule.init)
        let way = rule?.words(leadingTo: TokenState(rawValue: state)).wayBack ?? "the app registers it again"
        return "It becomes active again if \(way)."
    }

    /// Whether to send to it, or to which token instead.
    public func advice(_ names: StoryNames) -> String {
        switch TokenState(rawValue: state) {
        case .active: return "Send to it."
        case .suspect: return "Neither trust nor delete it: the next response or registration decides."
        case .stale: return "Do not send to it: its device seems to be gone."
        case .retired, nil:
            guard let successorID else { return "Do not send to it." }
            return "Do not send to it: its installation now has token \(names.token(successorID))."
        }
    }
}
