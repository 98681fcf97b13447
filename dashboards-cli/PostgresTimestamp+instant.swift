internal import DeliveryModel
internal import PostgresClient

extension PostgresTimestamp {
    /// What this machine's clock shows.
    static var now: PostgresTimestamp {
        PostgresTimestamp(Instant.now.millisecondsSinceEpoch)
    }

    var instant: Instant {
        Instant(millisecondsSinceEpoch: millisecondsSinceEpoch)
    }
}
