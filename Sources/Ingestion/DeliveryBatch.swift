internal import DeliveryModel
internal import Foundation
internal import TokenLifecycle

/// A batch on its way: the valid events with what the database knows about their words and targets.
struct DeliveryBatch {
    struct Entry {
        /// Where the item stands in the batch as posted.
        let position: Int
        let appID: Int64
        let event: Event
        /// The notification it is about; the message of an answer to a token until the batch is addressed.
        fileprivate(set) var notificationID: UUID
        /// When the notification was sent; nil until the batch is dated.
        var sentAt: Instant?
        /// Bits this event adds.
        let contribution: DeliveryState
        /// The token a push went to.
        let token: Token?
        /// The topic of that token, also where the sender did not say it.
        let topic: String
        var answer: DeliveryRecord.Answer?

        var notification: AppNotification {
            AppNotification(notificationID: notificationID, appID: appID)
        }

        /// The key of the notification's row; nil until the batch is dated.
        var key: DeliveryKey? {
            sentAt.map { DeliveryKey(notificationID: notificationID, appID: appID, sentAt: $0) }
        }
    }

    /// An event that changed its notification's row, and what else it tells.
    struct Accepted {
        /// Where the item stands in the batch as posted.
        let position: Int
        /// That an installation and its token live; nil for what a sender posted.
        let signOfLife: SignOfLife?
        /// What a provider says about the token it was sent to; nil for events that are no answer to a token.
        let tokenAnswer: TokenAnswer?
    }

    private(set) var entries: [Entry]
    /// Keys of the entries and where these stand, in the order in which rows are locked; events about one notification in
    /// the order in which they were posted.
    private var order: [(key: DeliveryKey, index: Int)] = []
    /// What was known about notifications under a provisional date, which this batch replaces by the true one.
    private var waiting: [DeliveryKey: TakenDelivery] = [:]

    /// False while it is not known which notifications answers about messages to tokens belong to.
    private(set) var isAddressed: Bool

    init(entries: [Entry], isAddressed: Bool) {
        self.entries = entries
        self.isAddressed = isAddressed
    }

    /// Gives answers about messages to tokens the notifications that they belong to.
    mutating func address(_ recipients: MessageRecipients.Settled) {
        for (recipient, notificationID) in recipients.notifications {
            let installationID = recipients.installationIDs[recipient]
            for index in recipients.positions[recipient, default: []] {
                entries[index].notificationID = notificationID
                // Another batch may have found the holder after this one had looked for him.
                let known = entries[index].answer?.installationID
                entries[index].answer?.installationID = known ?? installationID
            }
        }
        isAddressed = true
    }

    /// Gives every event the date its notification has.
    mutating func date(_ dates: NotificationDates.Settled) {
        if !dates.sentAt.isEmpty {
            for index in entries.indices {
                entries[index].sentAt = dates.sentAt[entries[index].notification] ?? entries[index].sentAt
            }
        }
        waiting = dates.waiting
        order = entries.indices.compactMap { index in entries[index].key.map { ($0, index) } }
        order.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    }

    /// One record per notification, sorted by key.
    func records() -> [DeliveryRecord] {
        var records: [DeliveryRecord] = []
        records.reserveCapacity(order.count)
        for (key, index) in order {
            if records.last?.key != key {
                records.append(DeliveryRecord(key: key))
                if let waiting = waiting[key] { records[records.count - 1].add(waiting) }
            }
            records[records.count - 1].add(entries[index])
        }
        return records
    }

    /// Replays each row's events over the state it had before the batch: an event that adds a bit was accepted, any other
    /// is a duplicate.
    ///
    /// - Parameter changed: the rows that changed, sorted by key.
    func accepted(_ changed: [ChangedDelivery], now: Instant) -> [Accepted] {
        var accepted: [Accepted] = []
        accepted.reserveCapacity(order.count)
        var next = 0
        var current: (key: DeliveryKey, state: DeliveryState)?
        for (key, index) in order {
            if current?.key != key {
                while next < changed.count, changed[next].key < key { next += 1 }
                guard next < changed.count, changed[next].key == key else { continue }
                current = (key, changed[next].previousState.union(waiting[key]?.state ?? []))
            }
            let contribution = entries[index].contribution
            guard let state = current?.state, !state.isSuperset(of: contribution) else { continue }
            current?.state.formUnion(contribution)
            accepted.append(
                Accepted(
                    position: entries[index].position,
                    signOfLife: entries[index].signOfLife(behind: changed[next], now: now),
                    tokenAnswer: entries[index].tokenAnswer))
        }
        return accepted
    }
}

extension DeliveryRecord {
    fileprivate mutating func add(_ entry: DeliveryBatch.Entry) {
        state.formUnion(entry.contribution)
        switch entry.event.content {
        case .response(let response):
            if let answer = entry.answer { add(response, answer) }
        case .device(let report): add(report)
        case .recall: break
        }
    }
}

extension DeliveryBatch.Entry {
    fileprivate var tokenAnswer: TokenAnswer? {
        guard case .response(let response) = event.content, let token, let answer, let sentAt else {
            return nil
        }
        let evidence = TokenEvidence(
            outcome: answer.outcome, provider: response.provider, status: response.status,
            reason: response.reason, sentAt: sentAt, invalidSince: response.invalidSince)
        return TokenAnswer(
            appID: appID, token: token, evidence: evidence, environment: response.environment, topic: topic)
    }

    /// - Parameter changed: the notification's row, which knows the token it went to and who held that when the answer was recorded.
    fileprivate func signOfLife(behind changed: ChangedDelivery, now: Instant) -> SignOfLife? {
        guard case .device(let report) = event.content else { return nil }
        return SignOfLife(
            appID: appID, at: min(report.occurredAt ?? now, now), deviceID: report.deviceID,
            tokenID: changed.tokenID, holderID: changed.installationID)
    }
}
