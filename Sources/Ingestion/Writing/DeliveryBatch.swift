internal import DeliveryModel
internal import Foundation
internal import TokenLifecycle

/// A batch being written: the valid events, with what the database knows about their words and targets.
struct DeliveryBatch {
    struct Entry {
        /// The item's index in the batch as posted.
        let position: Int
        let appID: Int64
        let event: Event
        /// The event's notification. For a response about a message: the message, until it is addressed.
        var notificationID: UUID
        /// The date in the notification's key: its id's time, else the send time; `nil` until it is dated.
        var sentAt: Instant?
        let contribution: DeliveryState
        /// The installation that the event came from; `nil` if it names no registered device. Always `nil`
        /// for events about messages, which name their notification by the device.
        var reporter: Int64?
        let token: Token?
        /// The registered place of that token.
        let place: TokenPlace?
        /// The place that the sender named, if it is another one.
        let otherPlace: TokenPlace?
        /// Whether the response is about that token, and may change it.
        let isMeant: Bool
        var response: DeliveryRecord.ResolvedResponse?
        let warnings: ItemWarnings

        var notification: AppNotification { AppNotification(notificationID: notificationID, appID: appID) }

        /// The bits this event adds if the push went to this installation; `nil` if that is not known.
        func contribution(to installationID: Int64?) -> DeliveryState {
            isMisdirected(installationID) ? .misdirected : contribution
        }

        func isMisdirected(_ installationID: Int64?) -> Bool {
            guard let reporter, let installationID else { return false }
            return reporter != installationID
        }

        /// The key of the notification's row, unless the row is elsewhere; `nil` until the batch is dated.
        var key: DeliveryKey? {
            sentAt.map { DeliveryKey(notificationID: notificationID, appID: appID, sentAt: $0) }
        }
    }

    struct Accepted {
        /// The item's index in the batch as posted.
        let position: Int
        /// Whether a response to its notification is known, and the event belongs to it.
        let isMatched: Bool
        /// The number of device events that waited for this response.
        let confirmedEvents: Int
        /// The installation that the push of a device's event went to; if no app has registered its token,
        /// the token's id as a negative number. `nil` if neither is known.
        let reporterID: Int64?
        /// Evidence that an installation and its token are alive; `nil` for events that a sender posted.
        let signOfLife: SignOfLife?
        /// A provider's statement about the token the push was sent to; `nil` for events that are not
        /// responses to a token.
        let tokenResponse: TokenResponse?
    }

    var entries: [Entry]
    /// The entries' keys and indices, in the order in which rows are locked. Events about one notification
    /// keep the order in which they were posted.
    private var order: [(key: DeliveryKey, index: Int)] = []
    /// Earlier data on notifications under a provisional date, which this batch replaces with the true one.
    private var waiting: [DeliveryKey: TakenDelivery] = [:]

    /// False until it is known which notifications the responses about messages to tokens belong to.
    var isAddressed: Bool

    init(entries: [Entry], isAddressed: Bool) {
        (self.entries, self.isAddressed) = (entries, isAddressed)
    }

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

    func records() -> [DeliveryRecord] {
        var records: [DeliveryRecord] = []
        records.reserveCapacity(order.count)
        for (key, index) in order {
            if records.last?.key != key {
                records.append(DeliveryRecord(key: key, isDatedByID: entries[index].event.idTime != nil))
                if let waiting = waiting[key] { records[records.count - 1].add(earlier: waiting.record) }
            }
            records[records.count - 1].add(entries[index])
        }
        return records
    }

    /// Replays each row's events on its state before the batch: an event that adds a bit is accepted, any
    /// other is a duplicate. Which device bits count is decided by what is known after the batch.
    func accepted(_ written: WrittenDeliveries, now: Instant) -> [Accepted] {
        let changed = written.changed
        var accepted: [Accepted] = []
        accepted.reserveCapacity(order.count)
        var next = 0
        var current: (key: DeliveryKey, before: DeliveryState, state: DeliveryState)?
        for (key, index) in order(in: written) {
            if current?.key != key {
                while next < changed.count, changed[next].key < key { next += 1 }
                guard next < changed.count, changed[next].key == key else { continue }
                let waiting = waiting[key] ?? written.repointed[key]
                let previous = changed[next].attributedPreviousState
                let before = previous.joined(with: waiting?.state(in: changed[next]) ?? [])
                current = (key, before, before)
            }
            let contribution = entries[index].contribution(to: changed[next].installationID)
            guard let (_, before, state) = current, !state.knows(contribution) else { continue }
            current?.state = state.joined(with: contribution)
            let isFirstResponse = !state.contains(.attempted) && contribution.contains(.attempted)
            let isMatched = changed[next].state.contains(.attempted) && !contribution.contains(.misdirected)
            accepted.append(
                Accepted(
                    position: entries[index].position, isMatched: isMatched,
                    confirmedEvents: isFirstResponse ? entries[index].confirmedEvents(among: before) : 0,
                    reporterID: isMatched
                        ? changed[next].installationID ?? changed[next].tokenID.map { -$0 } : nil,
                    signOfLife: entries[index].signOfLife(in: changed[next], now: now),
                    tokenResponse: entries[index].tokenResponse(sentAt: changed[next].pushedAt)))
        }
        return accepted
    }

    /// The dates of the entries, by their index in the batch as posted.
    var sendTimes: [Int: Instant] {
        positions(of: Dictionary(order.map { ($0.key, $0.key.sentAt) }) { first, _ in first })
    }

    /// The dates of the entries with these keys, by their index in the batch as posted.
    func positions(of sentAt: [DeliveryKey: Instant]) -> [Int: Instant] {
        var positions: [Int: Instant] = [:]
        for (key, index) in order { positions[entries[index].position] = sentAt[key] }
        return positions
    }

    func order(in written: WrittenDeliveries) -> [(key: DeliveryKey, index: Int)] {
        guard !written.moved.isEmpty else { return order }
        return order.map { (written.moved[$0.key] ?? $0.key, $0.index) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
    }
}

extension DeliveryRecord {
    fileprivate mutating func add(_ entry: DeliveryBatch.Entry) {
        add(entry.contribution, from: entry.reporter)
        switch entry.event.content {
        case .response(let response):
            if let resolved = entry.response { add(response, resolved, statedAt: entry.event.sentAt) }
        case .device(let report): add(report)
        case .recall: break
        }
    }
}
