public import DeliveryModel
internal import Foundation
public import PostgresClient
internal import SQLFiles

/// A push of the last minutes, for a person who connects a sender and waits for its events.
public struct NewestPush: Hashable, Sendable {
    public let record: PushRecord
    /// The device events that did not say when they happened, or said something impossible: their times are
    /// those of receipt.
    public let timedByReceipt: DeliveryState
    /// Whether an app or an import has registered its token; `false` without a token.
    public let isRegistered: Bool

    /// The newest pushes of an app, the newest first: at most twice the limit, because those whose ids say
    /// when they were sent are found apart from the others.
    ///
    /// - Parameter since: pushes that were sent before this instant are left out. The sender's clock counts.
    /// - Throws: `PostgresError`.
    public static func read(
        of app: App, since: Instant, now: Instant, limit: Int64, on connection: PostgresConnection
    ) throws -> [NewestPush] {
        guard limit > 0 else { return [] }
        return try read(.Stories.newestIds, .value(limit), of: app, since: since, now: now, on: connection)
    }

    /// The newest push in one of these states, or two: one whose id says when it was sent, and another.
    ///
    /// - Parameter since: pushes that were sent before this instant are left out.
    /// - Throws: `PostgresError`.
    public static func read(
        of app: App, in states: Set<DeliveryState>, since: Instant, now: Instant,
        on connection: PostgresConnection
    ) throws -> [NewestPush] {
        try read(
            .Stories.newestIdsInStates, .array(states.map(\.rawValue)), of: app, since: since, now: now,
            on: connection)
    }

    /// - Parameter choice: the last parameter of the statement.
    private static func read(
        _ statement: SQLFile, _ choice: PostgresParameter, of app: App, since: Instant, now: Instant,
        on connection: PostgresConnection
    ) throws -> [NewestPush] {
        // Senders may date a push up to a day ahead.
        let latest = now + .days(1)
        let ids: [UUID] = try connection.query(
            statement,
            [
                .value(app.appID), .value(UUID(first: since)), .value(UUID(first: latest)), .value(since),
                .value(latest), choice,
            ]
        ).column("notification_id")
        guard !ids.isEmpty else { return [] }
        return try connection.query(
            .Stories.notificationsOfIds, [.value(app.appID), .array(ids), .value(since), .value(latest)]
        ).map { row in
            NewestPush(
                record: try PushRecord(row),
                timedByReceipt: DeliveryState(rawValue: try row.get("timed_by_receipt")),
                isRegistered: try row.get("is_registered"))
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
