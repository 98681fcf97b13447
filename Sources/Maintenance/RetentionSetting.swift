public import Instants
public import PostgresClient
internal import SQLFiles

/// How long the servers of a database keep notifications: the longest retention that one of them was started with, until a
/// person shortens it (`landfall maintain --shorten-retention`). Maintenance must not drop what a server promises to keep.
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
