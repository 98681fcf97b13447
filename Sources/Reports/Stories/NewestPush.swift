public import DeliveryModel
internal import Foundation
public import PostgresClient

/// A push of the last minutes, for a person who connects a sender and waits for its events.
public struct NewestPush: Hashable, Sendable {
    public let record: PushRecord
    /// The device events that did not say when they happened, or said something impossible: their times are
    /// those of receipt.
    public let timedByReceipt: DeliveryState

    /// The newest pushes of an app, the newest first: at most twice the limit, because those whose ids say
    /// when they were sent are found apart from the others.
    ///
    /// - Parameter since: pushes that were sent before this instant are left out. The sender's clock counts.
    /// - Throws: `PostgresError`.
    public static func read(
        of app: App, since: Instant, now: Instant, limit: Int64, on connection: PostgresConnection
    ) throws -> [NewestPush] {
        // Senders may date a push up to a day ahead.
        let latest = now + .days(1)
        let ids: [UUID] = try connection.query(
            .Stories.newestIds,
            [
                .value(app.appID), .value(UUID(first: since)), .value(UUID(first: latest)), .value(since),
                .value(latest), .value(limit),
            ]
        ).column("notification_id")
        guard !ids.isEmpty else { return [] }
        return try connection.query(
            .Stories.notificationsOfIds, [.value(app.appID), .array(ids), .value(since), .value(latest)]
        ).map { row in
            NewestPush(
                record: try PushRecord(row),
                timedByReceipt: DeliveryState(rawValue: try row.get("timed_by_receipt")))
        }
    }
}

extension UUID {
    /// The lowest id whose first 48 bits are this instant, in milliseconds since 1970 (RFC 9562, 5.7).
    fileprivate init(first instant: Instant) {
        let time = UInt64(bitPattern: max(0, instant.millisecondsSinceEpoch)).bigEndian
        let bytes = withUnsafeBytes(of: time) { Array($0.dropFirst(2)) }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
            ))
    }
}
