internal import DeliveryModel
internal import Foundation
internal import TokenLifecycle

/// A batch on its way: the valid events with what the database knows about their words and targets.
struct DeliveryBatch {
    struct Entry {
        /// Where the item stands in the batch as posted.
        let position: Int
        let appID: Int64
        /// When the notification was sent; nil until the batch is dated.
        var sentAt: Instant?
        let event: Event
        /// Bits this event adds.
        let contribution: DeliveryState
        let target: PushTarget?
        let answer: DeliveryRecord.Answer?

        var notification: AppNotification {
            AppNotification(notificationID: event.notificationID, appID: appID)
        }

        /// The key of the notification's row; nil until the batch is dated.
        var key: DeliveryKey? {
            sentAt.map { DeliveryKey(notificationID: event.notificationID, appID: appID, sentAt: $0) }
        }
    }

    private(set) var entries: [Entry]
    /// What was known about notifications under a provisional date, which this batch replaces by the true one.
    private var waiting: [DeliveryKey: WaitingDelivery] = [:]

    init(entries: [Entry]) {
        self.entries = entries
    }

    /// Gives every event the date its notification has.
    mutating func date(_ dates: NotificationDates.Settled) {
        for index in entries.indices {
            entries[index].sentAt = dates.sentAt[entries[index].notification] ?? entries[index].sentAt
        }
        waiting = dates.waiting
    }

    /// One record per notification, in the order in which rows are locked.
    func records() -> [DeliveryRecord] {
        var positions: [DeliveryKey: Int] = [:]
        positions.reserveCapacity(entries.count)
        var records: [DeliveryRecord] = []
        records.reserveCapacity(entries.count)
        for entry in entries {
            guard let key = entry.key else { continue }
            let position = positions[key] ?? records.count
            if position == records.count {
                positions[key] = position
                records.append(DeliveryRecord(key: key))
                if let waiting = waiting[key] { records[position].add(waiting) }
            }
            records[position].state.formUnion(entry.contribution)
            switch entry.event.content {
            case .response(let response):
                if let answer = entry.answer { records[position].add(response, answer) }
            case .device(let report): records[position].add(report)
            case .recall: break
            }
        }
        return records.sorted { $0.key < $1.key }
    }

    /// Replays each row's events over the state it had before the batch: an event that adds a bit was accepted, any other
    /// is a duplicate.
    func accepted(_ changed: [DeliveryKey: ChangedDelivery]) -> [Entry] {
        var states = changed.mapValues(\.previousState)
        for (key, waiting) in waiting { states[key]?.formUnion(waiting.state) }
        return entries.filter { entry in
            guard let key = entry.key, let state = states[key], !state.isSuperset(of: entry.contribution)
            else { return false }
            states[key] = state.union(entry.contribution)
            return true
        }
    }
}

extension DeliveryBatch.Entry {
    /// What the answer says about the token it was sent to; nil for events that are no answer to a token.
    var tokenAnswer: TokenAnswer? {
        guard case .response(let response) = event.content, let token = target?.token, let answer,
            let sentAt
        else { return nil }
        let evidence = TokenEvidence(
            outcome: answer.outcome, provider: response.provider, status: response.status,
            reason: response.reason, sentAt: sentAt, invalidSince: response.invalidSince)
        return TokenAnswer(appID: appID, token: token, evidence: evidence)
    }

    /// What a device event says about its installation and token; nil for what a sender posted.
    func signOfLife(tokenID: Int64?, now: Instant) -> SignOfLife? {
        guard case .device(let report) = event.content else { return nil }
        return SignOfLife(
            appID: appID, at: min(report.occurredAt ?? now, now), deviceID: report.deviceID,
            tokenID: tokenID)
    }
}
