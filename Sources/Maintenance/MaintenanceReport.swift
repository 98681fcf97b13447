public import DeliveryModel

public struct MaintenanceReport: Hashable, Sendable {
    /// The number of days for which partitions were created.
    public internal(set) var daysMade: Int64 = 0
    /// The UTC days whose notifications were dropped, by their first instant.
    public internal(set) var daysDropped: [Instant] = []
    /// Days that should have been dropped but were not, because the table was in use all the time
    /// or the run was stopped. The next run tries again.
    public internal(set) var daysPostponed: [Instant] = []
    /// Days that the configuration would drop, kept because that may be a mistake; `nil` if there are none.
    public internal(set) var held: RetentionHold?
    /// Rows removed from `notification_date`, older than the retention.
    public internal(set) var datesRemoved: Int64 = 0
    /// Rows removed from `message_recipient`, older than the retention.
    public internal(set) var recipientsRemoved: Int64 = 0
    /// Responses about messages that were still waiting although their token was registered, and
    /// were assigned to its installation.
    public internal(set) var messagesClaimed: Int64 = 0
    /// Items removed beyond the quarantine's limits.
    public internal(set) var itemsEvicted: Int64 = 0
    /// Rows of counters folded into shard -1, by table, in the order of folding.
    public internal(set) var folded: [Folded] = []
    public internal(set) var sketched = Sketched()
    /// Rows removed from `reach_sketch`, older than the retention.
    public internal(set) var sketchesRemoved: Int64 = 0
    /// The UTC days that were packed, by their first instant.
    public internal(set) var daysPacked: [Instant] = []
    /// The number of days that the next runs will pack.
    public internal(set) var daysToPack: Int64 = 0
    /// Whether the run was stopped between two steps; the next run does the rest.
    public internal(set) var wasStopped = false

    public struct Folded: Hashable, Sendable {
        public let table: String
        public let rows: Int64
    }

    /// Sketches of reach that were built; none if the database lacks the extension `hll`.
    public struct Sketched: Hashable, Sendable {
        /// UTC days, each counted once per app.
        public internal(set) var days: Int64 = 0
        /// Rows of `reach_sketch`.
        public internal(set) var sketches: Int64 = 0

        public init() {}
    }

    public init() {}
}
