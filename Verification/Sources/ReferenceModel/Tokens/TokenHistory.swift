internal import Foundation

/// What befalls a few phones of one app and what its sender posts, one step after the other.
public struct TokenHistory: Sendable {
    struct Step: Sendable {
        /// Which instant of the clock it happens at; no two steps share one.
        let tick: Int
        let deed: TokenDeed
    }

    public let seed: UInt64
    let clock: TokenClock
    let settings: TokenSettings
    let phones: [UUID]
    let values: [TokenValue]
    let pushes: [TokenPush]
    /// Questions for what was: instants in milliseconds since 1970.
    let pastInstants: [Int64]
    var steps: [Step]

    /// The earliest of the past instants and the latest, or the millisecond behind where there is one only.
    var pastBounds: (from: Int64, to: Int64) {
        let from = pastInstants.min() ?? 0
        return (from, max(pastInstants.max() ?? 0, from + 1))
    }
}

/// What an app says about its rules.
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

/// A value that a provider gave to some phone; phones may pass it on.
struct TokenValue: Sendable {
    let text: String
    let provider: String
    let kind: String
    let topic: String

    /// Whether tokens of this kind show notifications.
    var isAlerting: Bool { ["alert", "web_push", "fcm"].contains(kind) }
}

/// A token is a value in an environment.
struct TokenName: Hashable, Comparable, Sendable {
    /// Which of the history's values.
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

/// One thing that happens to a history's app.
enum TokenDeed: Sendable {
    case register(PhoneRegistration)
    case post([TokenItem])
    case logOut(phone: Int)
    case erase(phone: Int)
    case sweep(maxShare: Double)
    /// Somebody decides what becomes of the tokens that the breaker holds back.
    case decide(isRelease: Bool, TokenScope)
    case restore(rule: String, since: Int64, TokenScope)
}

/// Which tokens somebody means; nil for any.
struct TokenScope: Hashable, Sendable {
    var environment: String?
    var topic: String?
}

/// What a phone says when it registers; without tokens it checks in.
struct PhoneRegistration: Sendable {
    struct Entry: Sendable {
        let token: TokenName
        /// Apps may forget to say the topic.
        let saysTopic: Bool
        let expiresAt: Int64?
    }

    let phone: Int
    let entries: [Entry]
    let registeredAt: Int64
    let appVersion: String?
    let permission: String?
    /// Empty: nobody is signed in.
    let account: String?
}

/// One posted item about a push.
enum TokenItem: Sendable {
    case answer(push: Int, TokenWords, diedAt: Int64?, saysTopic: Bool)
    case sighting(push: Int, kind: String, occurredAt: Int64?, phone: Int?)
}

/// What a provider answered, and what that means by the provider's documents.
struct TokenWords: Hashable, Sendable {
    enum Meaning: Sendable {
        case accepted, dead, suspicious
        /// Nothing about the token.
        case nothing
    }

    let status: Int
    let reason: String?
    /// The class of the answer.
    let outcome: String
    let meaning: Meaning

    init(_ status: Int, _ reason: String?, _ outcome: String, _ meaning: Meaning) {
        self.status = status
        self.reason = reason
        self.outcome = outcome
        self.meaning = meaning
    }
}
