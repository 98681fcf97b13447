internal import Instants

/// What devices use of the quotas of their app.
enum QuotaKind: Sendable {
    case events
    case installations
    /// Token values of installations to which no push was accepted yet.
    case values

    /// The number that one unit of the app's quota allows: an installation may have several values.
    var perUnit: Int64 { self == .values ? 4 : 1 }
}

/// What devices of one app used of its quotas within an hour, and what was beyond them.
struct QuotaUse: Hashable, Sendable {
    var unmatchedEvents: Int64 = 0
    var newInstallations: Int64 = 0
    var rejectedEvents: Int64 = 0
    var rejectedInstallations: Int64 = 0
    var newValues: Int64 = 0
    var rejectedValues: Int64 = 0

    subscript(kind: QuotaKind) -> Int64 {
        switch kind {
        case .events: unmatchedEvents
        case .installations: newInstallations
        case .values: newValues
        }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.unmatchedEvents += right.unmatchedEvents
        sum.newInstallations += right.newInstallations
        sum.rejectedEvents += right.rejectedEvents
        sum.rejectedInstallations += right.rejectedInstallations
        sum.newValues += right.newValues
        sum.rejectedValues += right.rejectedValues
        return sum
    }
}

/// An app in one hour.
struct AppHour: Hashable, Comparable, Sendable {
    let appID: Int64
    /// Its start.
    let hour: Instant

    static func < (left: Self, right: Self) -> Bool {
        (left.appID, left.hour) < (right.appID, right.hour)
    }
}
