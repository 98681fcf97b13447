public import DeliveryModel
public import Instants

/// What one run of maintenance did.
public struct MaintenanceReport: Hashable, Sendable {
    /// Partitions of so many days were made.
    public internal(set) var daysMade: Int64 = 0
    /// The UTC days whose notifications were dropped, by their first instant.
    public internal(set) var daysDropped: [Instant] = []
    /// Days that should have been dropped and were not, because the table was in use all the time, or the run was stopped: the
    /// next one tries again.
    public internal(set) var daysPostponed: [Instant] = []
    /// Days that the configuration would drop, kept because that may be a mistake; `nil` if none are.
    public internal(set) var held: RetentionHold?
    /// Rows of `notification_date` older than the retention.
    public internal(set) var datesRemoved: Int64 = 0
    /// Rows of `message_recipient` older than the retention.
    public internal(set) var recipientsRemoved: Int64 = 0
    /// Answers about messages that waited although their token was registered, and have found their device.
    public internal(set) var messagesClaimed: Int64 = 0
    /// Items beyond the quarantine's limits.
    public internal(set) var itemsEvicted: Int64 = 0
    /// Rows of counters folded into shard -1, by table, in the order in which they were folded.
    public internal(set) var folded: [Folded] = []
    public internal(set) var sketched = Sketched()
    /// Rows of `reach_sketch` older than the retention.
    public internal(set) var sketchesRemoved: Int64 = 0
    /// Ended between two steps because it was asked to; what is left is for the next run.
    public internal(set) var wasStopped = false

    public struct Folded: Hashable, Sendable {
        public let table: String
        public let rows: Int64
    }

    /// What was sketched of reach; nothing where the database lacks the extension `hll`.
    public struct Sketched: Hashable, Sendable {
        /// UTC days of apps.
        public internal(set) var days: Int64 = 0
        /// Rows of `reach_sketch`.
        public internal(set) var sketches: Int64 = 0

        public init() {}
    }

    public init() {}
}
