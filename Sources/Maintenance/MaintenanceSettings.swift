public import Ingestion
public import Instants

/// What maintenance goes by.
public struct MaintenanceSettings: Hashable, Sendable {
    /// How long notifications are kept. The same as what ingestion refuses as too old: a dropped day must not come back.
    public var retention: Span
    /// Drops all that is older than the retention, however much that is and whatever retention is stored: a person has seen the
    /// ``RetentionPlan``.
    public var shortensRetention = false
    /// The server that maintains, `host:port`, for what it notes; empty for a command.
    public var source = ""
    public var quarantine = QuarantineLimits()
    /// So many days from tomorrow on have their partition before anybody asks.
    public var daysAhead: Int64 = 7
    /// Counters are folded at this age. By then most arrivals are in; an event that comes later costs a second fold. Headline reports
    /// read every counter that is not folded, so the age decides how long they take.
    public var foldAfter = Span.hours(1)
    /// So many days of apps are sketched in one run, the latest first.
    public var sketchedDays: Int64 = 400

    /// A day goes so long after its last instant became too old: clocks differ, and what was read in time may still queue.
    static let grace = Span.hours(1)

    public init(retention: Span = .standardRetention) {
        self.retention = retention
    }
}
