internal import Foundation

/// The events on a few phones of one app and the posts of its sender, one step after the other.
public struct TokenHistory: Sendable {
    struct Step: Sendable {
        /// The position of its instant on the clock; no two steps share one.
        let tick: Int
        let deed: TokenDeed
    }

    public let seed: UInt64
    let clock: TokenClock
    let settings: TokenSettings
    let phones: [UUID]
    let values: [TokenValue]
    let pushes: [TokenPush]
    /// Past instants at which states are compared, in milliseconds since 1970.
    let pastInstants: [Int64]
    var steps: [Step]

    /// The earliest and the latest past instant. If there is only one, the millisecond after it is the
    /// latest.
    var pastBounds: (from: Int64, to: Int64) {
        let from = pastInstants.min() ?? 0
        return (from, max(pastInstants.max() ?? 0, from + 1))
    }
}

/// The settings of an app.
struct TokenSettings: Hashable, Sendable {
    let staleAfterDays: Int64
    let sweepAfterDays: Int64
    let breakerMinimum: Int64
    let breakerShare: Double

    var json: String {
        """
        {"stale_after_days": \(staleAfterDays), "sweep_after_days": \(sweepAfterDays), \
        "breaker_minimum": \(breakerMinimum), "breaker_share": \(breakerShare)}
        """
    }
}

/// A value that a provider gave to a phone; phones may pass it on.
struct TokenValue: Sendable {
    let text: String
    let provider: String
    let kind: String
    let topic: String

    /// Whether tokens of this kind show notifications.
    var isAlerting: Bool { ["alert", "web_push", "fcm", "fid"].contains(kind) }
}

/// A token is a value in an environment.
struct TokenName: Hashable, Comparable, Sendable {
    /// The position of the history's value.
    let value: Int
    let environment: String

    static func < (left: TokenName, right: TokenName) -> Bool {
        (left.value, left.environment) < (right.value, right.environment)
    }
}

/// A push to a token.
struct TokenPush: Sendable {
    let notificationID: UUID
    /// Milliseconds since 1970.
    let sentAt: Int64
    let token: TokenName
}

/// One event in a history's app.
enum TokenDeed: Sendable {
    case register(PhoneRegistration)
    case post([TokenItem])
    case logOut(phone: Int)
    case erase(phone: Int)
    case sweep(maxShare: Double)
    /// An operator's decision about the tokens that the breaker holds.
    case decide(isRelease: Bool, TokenScope)
    case restore(rule: String, since: Int64, TokenScope)
}

/// The tokens of an operation; `nil` means any.
struct TokenScope: Hashable, Sendable {
    var environment: String?
    var topic: String?
}

/// A phone's registration; without tokens, it is a check-in.
struct PhoneRegistration: Sendable {
    struct Entry: Sendable {
        let token: TokenName
        /// Apps may omit the topic.
        let saysTopic: Bool
        let expiresAt: Int64?
    }

    let phone: Int
    let entries: [Entry]
    let registeredAt: Int64
    let appVersion: String?
    let permission: String?
    /// Empty if no user is signed in.
    let account: String?
}

/// One posted item about a push.
enum TokenItem: Sendable {
    case response(push: Int, TokenWords, diedAt: Int64?, saysTopic: Bool)
    case sighting(push: Int, kind: String, occurredAt: Int64?, phone: Int?)
}

/// A provider's response, and its meaning by the provider's documentation.
struct TokenWords: Hashable, Sendable {
    enum Meaning: Sendable {
        case accepted, dead, suspicious
        /// No statement about the token.
        case nothing
    }

    let status: Int
    let reason: String?
    /// The class of the response.
    let outcome: String
    let meaning: Meaning

    init(_ status: Int, _ reason: String?, _ outcome: String, _ meaning: Meaning) {
        self.status = status
        self.reason = reason
        self.outcome = outcome
        self.meaning = meaning
    }
}
