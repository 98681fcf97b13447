public import Basics
public import Ingestion

public struct MaintenanceSettings: Hashable, Sendable {
    /// How long notifications are kept. Ingestion rejects older items: a dropped day must not come back.
    public var retention: Span
    /// Drops everything older than the retention, however much that is and whatever retention is
    /// stored: a person has seen the ``RetentionPlan``.
    public var shortensRetention = false
    /// The server that maintains, `host:port`, recorded in its notes; empty for a command.
    public var source = ""
    public var quarantine = QuarantineLimits()
    /// Partitions are created for today and this many following days.
    public var daysAhead: Int64 = 7
    /// Counters are folded at this age. By then most arrivals are in; an event that comes later costs a
    /// second fold. Headline reports read every unfolded counter, so the age decides how long they take.
    public var foldAfter = Span.hours(1)
    /// At most this many days, counted per app, are sketched in one run, the latest first.
    public var sketchedDays: Int64 = 400

    /// Days that ended this long ago are packed; `nil` if none are. Each event that comes later costs several
    /// index entries. From this age on, devices no longer create days either.
    public var packedAfter: Span? = .days(14)
    /// At most this many days are packed in one run, the latest first: each rewrites half of its size.
    public var packedDays = 3
    /// Smaller days are not packed.
    public var leastPackedBytes: Int64 = 1 << 20

    /// A day is dropped this long after its last instant became too old: clocks differ, and items
    /// read in time may still be queued.
    static let grace = Span.hours(1)

    public init(retention: Span = .standardRetention) {
        self.retention = retention
    }
}
