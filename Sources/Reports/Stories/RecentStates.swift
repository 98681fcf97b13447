public import DeliveryModel
public import PostgresClient

/// How many notifications of an app are in which state, by the quarter hour in which they were sent.
///
/// Reading it costs a few counters, however many notifications there are.
public struct RecentStates: Hashable, Sendable {
    public struct Key: Hashable, Sendable {
        /// Its start.
        public let quarter: Instant
        public let state: DeliveryState
    }

    private let counts: [Key: Int64]

    public init() { counts = [:] }

    /// - Parameter since: the quarter hour that contains it is the first.
    /// - Throws: `PostgresError`.
    public static func read(
        of app: App, since: Instant, now: Instant, on connection: PostgresConnection
    ) throws -> RecentStates {
        // Senders may date a push up to a day ahead.
        let latest = now + .days(1)
        let rows = try connection.query(
            .Stories.recentStates,
            [.value(app.appID), .value(since.startOfQuarter), .value(latest.startOfQuarter)])
        return RecentStates(
            counts: Dictionary(
                try rows.map { row in
                    let state = DeliveryState(rawValue: try row.get("state"))
                    return (Key(quarter: try row.get("quarter"), state: state), try row.get("notifications"))
                }
            ) { $1 })
    }

    private init(counts: [Key: Int64]) { self.counts = counts }

    /// The counts that were lower before. A notification that is new, or whose state has changed, raises one.
    public func risen(since earlier: RecentStates) -> [Key: Int64] {
        counts.filter { $0.value > earlier.counts[$0.key, default: 0] }
    }

    /// The notifications that were sent since the start of a quarter hour.
    public func notifications(since instant: Instant) -> Int64 {
        counts.reduce(0) { $1.key.quarter >= instant.startOfQuarter ? $0 + $1.value : $0 }
    }
}
