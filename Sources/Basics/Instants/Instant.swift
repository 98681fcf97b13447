internal import Foundation

/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Milliseconds are the resolution of every protocol that Landfall reads (UUIDv7, the `timestamp` of a 410,
/// device clocks), so two mentions of the same instant compare equal without rounding.
public struct Instant: Hashable, Comparable, Sendable {
    public var millisecondsSinceEpoch: Int64

    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// The time by this machine's clock. It is read at the program's edge and passed on; rules never read it.
    public static var now: Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
    }

    public static func + (instant: Instant, span: Span) -> Instant {
        Instant(millisecondsSinceEpoch: instant.millisecondsSinceEpoch &+ span.milliseconds)
    }

    public static func - (instant: Instant, span: Span) -> Instant {
        Instant(millisecondsSinceEpoch: instant.millisecondsSinceEpoch &- span.milliseconds)
    }

    public static func - (later: Instant, earlier: Instant) -> Span {
        Span(milliseconds: later.millisecondsSinceEpoch &- earlier.millisecondsSinceEpoch)
    }

    /// The start of the quarter hour that contains this instant: the resolution of every counter.
    ///
    /// Quarter hours: all IANA offsets are multiples of 15 minutes, so local days are whole quarter hours.
    public var startOfQuarter: Instant { start(of: .minutes(15)) }

    /// The start of the UTC hour that contains this instant: the resolution of the items received.
    public var startOfHour: Instant { start(of: .hours(1)) }

    /// The start of the UTC day that contains this instant: the unit of partitions and retention.
    public var startOfUTCDay: Instant { start(of: .days(1)) }

    /// The start of the span that contains this instant; spans of this length are counted from 1970.
    private func start(of span: Span) -> Instant {
        let remainder = millisecondsSinceEpoch % span.milliseconds
        return Instant(
            millisecondsSinceEpoch: millisecondsSinceEpoch
                - (remainder < 0 ? remainder + span.milliseconds : remainder))
    }
}

/// Milliseconds since 1970, the format in the ledger's evidence. Documents for people use RFC 3339.
extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(millisecondsSinceEpoch: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSinceEpoch)
    }
}

/// A length of time in whole milliseconds; negative if it points to the past.
public struct Span: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func seconds(_ count: Int64) -> Span { Span(milliseconds: count * 1_000) }
    public static func minutes(_ count: Int64) -> Span { .seconds(count * 60) }
    public static func hours(_ count: Int64) -> Span { .minutes(count * 60) }
    public static func days(_ count: Int64) -> Span { .hours(count * 24) }

    public static func < (left: Span, right: Span) -> Bool { left.milliseconds < right.milliseconds }

    /// The default retention of notifications: older events are rejected as `too_old`, and maintenance drops
    /// older days. A single value for both, because a dropped day must not come back.
    public static let standardRetention = Span.days(400)
}
