public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// How long the servers of a database keep notifications, as the last one that started has noted it: whoever maintains the
/// database must not drop what a server promises to keep.
public enum RetentionSetting {
    /// - Parameter retention: counted in whole days.
    public static func store(_ retention: Span, on connection: PostgresConnection) throws {
        let days = retention.milliseconds / Span.days(1).milliseconds
        try connection.query(.Maintenance.storeRetention, [.value(days)])
    }

    /// Nil while no server has noted one.
    public static func read(on connection: PostgresConnection) throws -> Span? {
        try connection.query(.Maintenance.readRetention).first.map { .days(try $0.get(0)) }
    }
}
