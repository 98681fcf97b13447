internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// A notification within its app.
struct AppNotification: Hashable, Comparable, Sendable {
    let notificationID: UUID
    let appID: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.notificationID, left.appID) < (right.notificationID, right.appID)
    }
}

/// What events said about a notification before its date was known.
struct WaitingDelivery: Sendable {
    let state: DeliveryState
    let action: String?
    let occurredAt: [DeviceReport.Kind: Instant]
}

/// Finds out when notifications were sent whose ids do not say so.
///
/// Every id but a version 7 one needs `sent_at`, which senders give with the answer and devices often cannot, or only to the
/// second. Such events are looked up; while no answer is there, they lie under a provisional date, and move when the
/// answer comes. The row
/// in `notification_date` is what makes concurrent batches about one notification follow one another.
struct NotificationDates {
    struct Settled {
        fileprivate(set) var sentAt: [AppNotification: Instant] = [:]
        /// What lay under provisional dates, by its new key.
        fileprivate(set) var waiting: [DeliveryKey: WaitingDelivery] = [:]
        /// The rows that lay there: they no longer count.
        fileprivate(set) var removed: [ChangedDelivery] = []
    }

    func settle(
        _ entries: [DeliveryBatch.Entry], now: Instant, on connection: PostgresConnection
    ) throws -> Settled {
        let asked = dates(of: entries, now: now).sorted { $0.key < $1.key }
        guard !asked.isEmpty else { return Settled() }
        let rows = try connection.query(
            .Ingestion.dateNotifications,
            [
                .array(asked.map(\.key.notificationID)), .array(asked.map(\.key.appID)),
                .array(asked.map(\.value.sentAt)), .array(asked.map(\.value.isAnswered)),
            ])
        var settled = Settled()
        var provisional: [AppNotification: Instant] = [:]
        for row in rows {
            let notification = AppNotification(notificationID: try row.get(0), appID: try row.get(1))
            settled.sentAt[notification] = try row.getOptional(2)
            provisional[notification] = try row.getOptional(3)
        }
        try take(provisional, into: &settled, on: connection)
        return settled
    }

    private struct PostedDate {
        var sentAt: Instant
        /// An answer said so; otherwise it is provisional.
        var isAnswered: Bool
    }

    /// What the batch itself says about each notification whose id does not: its answer; else its first event, whose date is now
    /// when it gives none.
    private func dates(of entries: [DeliveryBatch.Entry], now: Instant) -> [AppNotification: PostedDate] {
        var dates: [AppNotification: PostedDate] = [:]
        for entry in entries where entry.event.notificationID.versionSevenInstant == nil {
            let posted = PostedDate(sentAt: entry.sentAt ?? now, isAnswered: entry.answer != nil)
            guard let known = dates[entry.notification] else {
                dates[entry.notification] = posted
                continue
            }
            if posted.isAnswered && !known.isAnswered { dates[entry.notification] = posted }
        }
        return dates
    }

    /// Takes away what lay under a provisional date, to be counted anew under the true one.
    private func take(
        _ provisional: [AppNotification: Instant], into settled: inout Settled,
        on connection: PostgresConnection
    ) throws {
        guard let earliest = provisional.values.min(), let latest = provisional.values.max() else { return }
        let sorted = provisional.sorted { $0.key < $1.key }
        let rows = try connection.query(
            .Ingestion.takeProvisionalDeliveries,
            [
                .array(sorted.map(\.key.notificationID)), .array(sorted.map(\.key.appID)),
                .array(sorted.map(\.value)), .value(earliest), .value(latest),
            ])
        for row in rows {
            let notification = AppNotification(notificationID: try row.get(0), appID: try row.get(1))
            guard let provisionalAt = try row.getOptional(2, as: Instant.self),
                let sentAt = settled.sentAt[notification]
            else {
                continue
            }
            let waiting = try WaitingDelivery(row, since: provisionalAt)
            settled.waiting[DeliveryKey(notification, sentAt: sentAt)] = waiting
            settled.removed.append(
                ChangedDelivery(
                    key: DeliveryKey(notification, sentAt: provisionalAt), campaignID: nil, segmentID: nil,
                    tokenID: nil, installationID: nil, previousState: waiting.state, state: []))
        }
    }
}

extension DeliveryKey {
    fileprivate init(_ notification: AppNotification, sentAt: Instant) {
        self.init(notificationID: notification.notificationID, appID: notification.appID, sentAt: sentAt)
    }
}

extension WaitingDelivery {
    /// Reads a row of `take_provisional_deliveries.sql`, whose times count from the provisional date.
    fileprivate init(_ row: PostgresRow, since provisionalAt: Instant) throws {
        var occurredAt: [DeviceReport.Kind: Instant] = [:]
        for (offset, kind) in [DeviceReport.Kind.arrival, .presentation, .click, .dismissal].enumerated() {
            guard let elapsed = try row.getOptional(4 + offset, as: Int64.self) else { continue }
            occurredAt[kind] = provisionalAt + Span(milliseconds: elapsed)
        }
        self.init(
            state: DeliveryState(rawValue: try row.get(3)), action: try row.getOptional(8),
            occurredAt: occurredAt)
    }
}
