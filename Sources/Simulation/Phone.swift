internal import Foundation

/// The fate of a phone's registration during the window.
enum PhoneLife {
    /// Only check-ins.
    case steady
    /// An OS upgrade gives the same installation a new token.
    case rotates
    /// Deleted and installed again; iOS gives the app the same token.
    case reinstallsKeepingToken
    /// Deleted and installed again with a new token, while the old one is still accepted.
    case reinstallsWithNewToken
    case uninstalls
    /// The token dies, is rejected, and is registered again; afterward the old rejection comes once more.
    case returnsAfterRejection
    /// The token dies and is registered again before any push; then the old rejection comes late.
    case returnsBeforeRejection
    /// A build signed for the sandbox, pushed through production.
    case wrongEnvironment
    /// A beta with its own bundle id, pushed with the shop's topic.
    case wrongTopic
    /// Never registered with Landfall, but the sender knows the token.
    case senderOnly
    /// A token that the sender stored incorrectly.
    case malformedToken
    /// One BadDeviceToken for a token that is accepted before and afterward.
    case rejectedOnce

    /// Assigns lives in rounds of 200 phones, so that every life occurs with any seed.
    static func of(phone index: Int, in scenario: TrafficScenario) -> PhoneLife {
        var position = (index % 200) * 73 % 200
        for (life, count) in scenario.isSound ? dealtWhereAllIsWell : dealt {
            if position < count { return life }
            position -= count
        }
        return .steady
    }

    private static let dealt: [(PhoneLife, Int)] = [
        (.uninstalls, 7), (.rotates, 6), (.reinstallsKeepingToken, 3), (.reinstallsWithNewToken, 3),
        (.returnsAfterRejection, 3), (.returnsBeforeRejection, 2), (.wrongEnvironment, 2), (.wrongTopic, 1),
        (.senderOnly, 3), (.malformedToken, 1), (.rejectedOnce, 1),
    ]

    /// Even without a fault, some users change phones and delete apps.
    private static let dealtWhereAllIsWell: [(PhoneLife, Int)] = [
        (.uninstalls, 4), (.rotates, 3), (.reinstallsKeepingToken, 2), (.reinstallsWithNewToken, 2),
    ]

    var isEverRegistered: Bool { self != .senderOnly && self != .malformedToken }
}

/// A time during which pushes to a token show on the phone.
struct Residency {
    /// The position of the installation that shows them; `nil` for an app that never registered.
    let installation: Int?
    let during: Range<Int64>
}

/// The environment and topic in which a token is registered or addressed.
struct TokenScope: Equatable {
    let environment: String
    let topic: String
}

/// A device token: its value, where pushes to it are shown, and its state at APNs.
struct PhoneToken {
    let value: String
    /// The scope in which the app registers it.
    let registeredIn: TokenScope
    /// The scope in which the sender pushes to it; differs only by mistake.
    let addressedIn: TokenScope
    var onSendersList: Range<Int64>
    var residencies: [Residency] = []
    /// From this instant, APNs responds with 410 and this instant as the timestamp.
    var deadFrom: Int64?
    var revivedAt: Int64?

    func residency(at instant: Int64) -> Residency? {
        residencies.first { $0.during.contains(instant) }
    }

    func isDead(at instant: Int64) -> Bool {
        guard let deadFrom else { return false }
        return instant >= deadFrom && instant < revivedAt ?? .max
    }

    /// Ends the current residency.
    mutating func leavePhone(at instant: Int64) {
        guard let last = residencies.popLast() else { return }
        let during = last.during.lowerBound..<max(instant, last.during.lowerBound)
        residencies.append(Residency(installation: last.installation, during: during))
    }

    /// Begins a residency without an end.
    mutating func settle(on installation: Int?, from instant: Int64) {
        residencies.append(Residency(installation: installation, during: instant..<Int64.max))
    }
}

/// A future `PUT /v1/devices/{device_id}`.
struct PlannedRegistration {
    let at: Int64
    let installation: Int
    /// `nil` for a check-in with an empty list of tokens.
    let token: Int?
    let change: SoftwareChange
    /// The software at that instant; determined once all registrations of the phone are known.
    var software: Software
}

/// One phone over the whole window.
struct Phone {
    let life: PhoneLife
    let traits: PhoneTraits
    let initialSoftware: Software
    /// The app's installations on this phone, in order of time.
    var installations: [UUID] = []
    var tokens: [PhoneToken] = []
    /// Ascending by instant.
    var registrations: [PlannedRegistration] = []
    /// Switched off or without a network.
    var offline: Range<Int64>?

    func software(at instant: Int64) -> Software {
        registrations.last { $0.at <= instant }?.software ?? initialSoftware
    }
}
