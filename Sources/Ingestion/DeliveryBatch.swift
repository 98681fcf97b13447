internal import DeliveryModel
internal import Foundation
internal import TokenLifecycle

/// A batch on its way: the valid events with what the database knows about their words and targets.
struct DeliveryBatch {
    struct Entry {
        /// Where the item stands in the batch as posted.
        let position: Int
        let key: DeliveryKey
        let event: Event
        /// Bits this event adds.
        let contribution: DeliveryState
        let target: PushTarget?
        let answer: DeliveryRecord.Answer?
    }

    let entries: [Entry]

    /// One record per notification, in the order in which rows are locked.
    func records() -> [DeliveryRecord] {
        var positions: [DeliveryKey: Int] = [:]
        positions.reserveCapacity(entries.count)
        var records: [DeliveryRecord] = []
        records.reserveCapacity(entries.count)
        for entry in entries {
            let position = positions[entry.key] ?? records.count
            if position == records.count {
                positions[entry.key] = position
                records.append(DeliveryRecord(key: entry.key))
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
        return entries.filter { entry in
            guard let state = states[entry.key], !state.isSuperset(of: entry.contribution) else {
                return false
            }
            states[entry.key] = state.union(entry.contribution)
            return true
        }
    }
}

extension DeliveryBatch.Entry {
    /// What the answer says about the token it was sent to; nil for events that are no answer to a token.
    var tokenAnswer: TokenAnswer? {
        guard case .response(let response) = event.content, let token = target?.token, let answer
        else { return nil }
        let evidence = TokenEvidence(
            outcome: answer.outcome, provider: response.provider, status: response.status,
            reason: response.reason, sentAt: event.sentAt, invalidSince: response.invalidSince)
        return TokenAnswer(appID: key.appID, token: token, evidence: evidence)
    }

    /// What a device event says about its installation and token; nil for what a sender posted.
    func signOfLife(tokenID: Int64?, now: Instant) -> SignOfLife? {
        guard case .device(let report) = event.content else { return nil }
        return SignOfLife(
            appID: key.appID, at: min(report.occurredAt ?? now, now), deviceID: report.deviceID,
            tokenID: tokenID)
    }
}
