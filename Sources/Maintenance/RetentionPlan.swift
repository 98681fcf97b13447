public import DeliveryModel
public import PostgresClient

/// The days that `landfall maintain --shorten-retention --apply` would drop. Only reads.
public struct RetentionPlan: Hashable, Sendable {
    /// The current retention; `nil` if no server has stored one.
    public let stored: Span?
    /// The retention that would apply.
    public let wanted: Span
    /// PostgreSQL's clock, by which days would be dropped.
    public let clock: Instant
    /// The last UTC day with notifications; `nil` if there are none.
    public let newestDay: Instant?
    /// The days with notifications that would be dropped.
    public let days: [Instant]
    public let notifications: Int64

    /// - Parameters:
    ///   - wanted: the retention to plan for. If `nil`, the longest one among running servers whose
    ///     maintenance holds days back, or else the stored one.
    public init(to wanted: Span?, on connection: PostgresConnection) throws {
        let held = try connection.conditions(.retentionHeld, as: RetentionHold.self)
            .filter { $0.age < RetentionHold.validity }.map(\.detail.wantedDays).max()
        let stored = try RetentionSetting.read(on: connection)
        let wanted = wanted ?? held.map(Span.days) ?? stored ?? .standardRetention
        let clock = try connection.clock()
        let keptFrom = RetentionDecision.horizon(clock, wanted)
        let occupied: [Instant] = try connection.query(.Maintenance.occupiedDays).map { try $0.get("day") }
        self.stored = stored
        self.wanted = wanted
        self.clock = clock
        newestDay = occupied.last
        days = occupied.filter { $0 < keptFrom }
        notifications = try connection.query(.Maintenance.countNotifications, [.value(keptFrom)])
            .single().get("notifications")
    }
}

/// How long the servers of a database keep notifications: the longest retention that one of them was started
/// with, until a person shortens it (`landfall maintain --shorten-retention`). Maintenance must not drop what
/// a server promises to keep.
public enum RetentionSetting {
    /// Stores a server's retention if it is longer than the stored one.
    ///
    /// - Parameter retention: rounded down to whole days.
    /// - Returns: the retention that applies now, which may be longer.
    @discardableResult
    public static func lengthen(to retention: Span, on connection: PostgresConnection) throws -> Span {
        .days(
            try connection.query(.Maintenance.lengthenRetention, [.value(retention.wholeDays)])
                .single().get("days"))
    }

    /// Stores a retention that a person has decided on, even if it is shorter.
    static func store(_ retention: Span, on connection: PostgresConnection) throws {
        try connection.query(.Maintenance.storeRetention, [.value(retention.wholeDays)])
    }

    /// The stored retention; `nil` if no server has stored one.
    public static func read(on connection: PostgresConnection) throws -> Span? {
        try connection.query(.Maintenance.readRetention).first.map { .days(try $0.get("days")) }
    }
}
