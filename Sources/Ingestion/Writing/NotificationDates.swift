internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

/// A notification within its app.
struct AppNotification: Hashable, Comparable, Sendable {
    let notificationID: UUID
    let appID: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.notificationID, left.appID) < (right.notificationID, right.appID)
    }
}

/// Determines when notifications were sent whose ids do not say so.
///
/// Every id other than version 7 needs `sent_at`. Senders give it with the response; devices often cannot, or
/// only to the second. Such device events are looked up. Until a response arrives, they are kept under a
/// provisional date, and move when it does. The row in `notification_date` serializes concurrent batches
/// about one notification.
enum NotificationDates {
    struct Settled {
        fileprivate(set) var sentAt: [AppNotification: Instant] = [:]
        /// Rows that were under provisional dates and no longer count there, by their new keys.
        fileprivate(set) var waiting: [DeliveryKey: TakenDelivery] = [:]
    }

    struct PostedDate {
        var sentAt: Instant
        /// Whether a response gave the date; otherwise it is provisional.
        var hasResponse: Bool
    }

    static func settle(
        _ dates: [AppNotification: PostedDate], on connection: PostgresConnection
    ) throws -> Settled {
        let asked = dates.sorted { $0.key < $1.key }
        guard !asked.isEmpty else { return Settled() }
        let rows = try connection.query(
            .Ingestion.dateNotifications,
            [
                .array(asked.map(\.key.notificationID)), .array(asked.map(\.key.appID)),
                .array(asked.map(\.value.sentAt)), .array(asked.map(\.value.hasResponse)),
            ])
        var settled = Settled()
        var provisional: [DeliveryKey] = []
        for row in rows {
            let notification = AppNotification(notificationID: try row.get(0), appID: try row.get(1))
            settled.sentAt[notification] = try row.getOptional(2)
            if let sentAt = try row.getOptional(3, as: Instant.self) {
                provisional.append(DeliveryKey(notification, sentAt: sentAt))
            }
        }
        let taken = try TakenDelivery.rows(of: .Ingestion.takeDeliveries, under: provisional, on: connection)
        for taken in taken {
            let notification = taken.record.key.notification
            guard let sentAt = settled.sentAt[notification] else { continue }
            settled.waiting[DeliveryKey(notification, sentAt: sentAt)] = taken
        }
        return settled
    }

    /// The date for each notification whose id has none: the response's, else the first event's, or now.
    static func dates(of entries: [DeliveryBatch.Entry], now: Instant) -> [AppNotification: PostedDate] {
        var dates: [AppNotification: PostedDate] = [:]
        for entry in entries where entry.event.idTime == nil {
            let posted = PostedDate(sentAt: entry.sentAt ?? now, hasResponse: entry.response != nil)
            guard let known = dates[entry.notification] else {
                dates[entry.notification] = posted
                continue
            }
            if posted.hasResponse && !known.hasResponse { dates[entry.notification] = posted }
        }
        return dates
    }
}

extension DeliveryKey {
    init(_ notification: AppNotification, sentAt: Instant) {
        self.init(notificationID: notification.notificationID, appID: notification.appID, sentAt: sentAt)
    }

    var notification: AppNotification { AppNotification(notificationID: notificationID, appID: appID) }
}
