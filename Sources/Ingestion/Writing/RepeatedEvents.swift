internal import DeliveryModel

// The events of a batch that say nothing new.

extension DeliveryBatch {
    /// The events that changed nothing, by the keys of their notifications' rows: those of devices, and
    /// responses with a `notification_id`. Nothing more has to be known of the others.
    func repeats(
        _ written: WrittenDeliveries, _ accepted: [Accepted], of items: [BatchItem]
    ) -> [DeliveryKey: [Entry]] {
        // Most batches have none.
        guard accepted.count < entries.count else { return [:] }
        let new = Set(accepted.map(\.position))
        var repeats: [DeliveryKey: [Entry]] = [:]
        for (key, index) in order(in: written) {
            let entry = entries[index]
            let isOfInterest =
                items[entry.position].poster == .device || entry.response != nil && entry.isNamedByID
            guard isOfInterest, !new.contains(entry.position) else { continue }
            repeats[key, default: []].append(entry)
        }
        return repeats
    }

    /// The devices' events among the repeats whose notification has a response, by their indices in the batch
    /// as posted.
    func matched(
        _ repeats: [DeliveryKey: [Entry]], _ rows: [DeliveryKey: RecordedDelivery], of items: [BatchItem]
    ) -> [Int] {
        rows.filter(\.value.hasResponse).flatMap { key, row in
            repeats[key, default: []].map { ($0.position, $0.isMisdirected(row.installationID)) }
        }.compactMap { position, isMisdirected in
            items[position].poster == .device && !isMisdirected ? position : nil
        }
    }
}
