/// Days that the configuration would drop and maintenance keeps, because dropping them may be a mistake.
public struct RetentionHold: Hashable, Codable, Sendable {
    public enum Reason: String, Codable, Sendable {
        /// A server was started with a shorter retention than the one stored in the database.
        case shorterRetention = "shorter_retention"
        /// More days are due than maintenance drops at once.
        case manyDays = "many_days"
        /// The newest notification is much older than PostgreSQL's clock, which may be wrong.
        case oldNotifications = "old_notifications"
    }

    /// Maintenance repeats the record every hour ± 20 %. An older one is from a server that is gone.
    public static let validity = Span.hours(3)

    public let reasons: [Reason]
    /// The days with notifications that are kept for these reasons; may be 0 for `shorterRetention`.
    public let dayCount: Int64
    public let firstDay: Instant?
    public let lastDay: Instant?
    /// The retention that the servers are configured with.
    public let wantedDays: Int64
    /// The retention in effect.
    public let storedDays: Int64
    public let newestDay: Instant?

    public init(
        reasons: [Reason], days: [Instant], wantedDays: Int64, storedDays: Int64, newestDay: Instant?
    ) {
        self.reasons = reasons
        self.dayCount = Int64(days.count)
        self.firstDay = days.first
        self.lastDay = days.last
        (self.wantedDays, self.storedDays, self.newestDay) = (wantedDays, storedDays, newestDay)
    }
}
