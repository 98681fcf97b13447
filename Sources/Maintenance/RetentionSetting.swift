public import Instants
public import PostgresClient
internal import SQLFiles

/// How long the servers of a database keep notifications: the longest that one of them was started with, until a person shortens it
/// (`landfall maintain --shorten-retention`). Maintenance must not drop what a server promises to keep.
public enum RetentionSetting {
    /// Stores a server's retention where that is longer than the stored one.
    ///
    /// - Parameter retention: counted in whole days.
    /// - Returns: the retention that holds now, which may be longer.
    @discardableResult
    public static func lengthen(to retention: Span, on connection: PostgresConnection) throws -> Span {
        .days(
            try connection.query(.Maintenance.lengthenRetention, [.value(retention.wholeDays)])
                .single().get(0))
    }

    /// Stores a retention that a person has decided on, be it shorter.
    static func store(_ retention: Span, on connection: PostgresConnection) throws {
        try connection.query(.Maintenance.storeRetention, [.value(retention.wholeDays)])
    }

    /// `nil` if no server has stored one.
    public static func read(on connection: PostgresConnection) throws -> Span? {
        try connection.query(.Maintenance.readRetention).first.map { .days(try $0.get(0)) }
    }
}
