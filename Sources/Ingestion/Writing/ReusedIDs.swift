internal import DeliveryModel
internal import PostgresClient

/// Where a push went, as far as it is known.
private struct Addressee {
    let tokenID: Int64?
    let installationID: Int64?

    /// Whether the two are different devices; `nil` if only the rows of the tokens say that.
    func isOther(than other: Addressee) -> Bool? {
        if let tokenID, tokenID == other.tokenID { return false }
        if let installationID, let known = other.installationID { return installationID != known }
        return tokenID == nil || other.tokenID == nil ? false : nil
    }
}

extension DeliveryBatch {
    /// Two tokens that responses about one notification name.
    private struct Pair {
        /// The index of the later response in the batch as posted.
        let position: Int
        let appID: Int64
        let tokenID: Int64
        /// The token in the notification's row.
        let recordedID: Int64
    }

    /// The responses whose `notification_id` a push to another device has, by their indices in the batch as
    /// posted: a campaign's id, or two senders with the same numbers. A push that was sent again to a token
    /// that the same installation registered since is none.
    ///
    /// - Parameter rows: the rows that the batch did not change, as far as responses name them.
    func reusedIDs(
        _ written: WrittenDeliveries, _ rows: [DeliveryKey: RecordedDelivery],
        on connection: PostgresConnection
    ) throws -> [Int] {
        var (reused, pairs): ([Int], [Pair]) = ([], [])
        var next = 0
        for (key, index) in order(in: written) {
            guard let posted = entries[index].addressee else { continue }
            while next < written.changed.count, written.changed[next].key < key { next += 1 }
            let isChanged = next < written.changed.count && written.changed[next].key == key
            guard let recorded = isChanged ? written.changed[next].addressee : rows[key]?.addressee else {
                continue
            }
            let position = entries[index].position
            switch posted.isOther(than: recorded) {
            case true?: reused.append(position)
            case false?: break
            case nil:
                guard let tokenID = posted.tokenID, let recordedID = recorded.tokenID else { continue }
                pairs.append(
                    Pair(
                        position: position, appID: entries[index].appID, tokenID: tokenID,
                        recordedID: recordedID))
            }
        }
        guard !pairs.isEmpty else { return reused }
        let found = try connection.query(
            .Ingestion.findTokensOfOtherDevices,
            [
                .array(pairs.map(\.tokenID)), .array(pairs.map(\.recordedID)), .array(pairs.map(\.appID)),
            ])
        return try reused + found.map { pairs[Int(try $0.get(0, as: Int64.self)) - 1].position }
    }
}

extension DeliveryBatch.Entry {
    /// Where the push went, according to a response with a `notification_id`; `nil` for all other events.
    fileprivate var addressee: Addressee? {
        guard let response, isNamedByID else { return nil }
        return Addressee(tokenID: response.tokenID, installationID: response.installationID)
    }

    /// Whether the sender chose the id for this one push.
    var isNamedByID: Bool {
        if case .notification = event.name { true } else { false }
    }
}

extension ChangedDelivery {
    fileprivate var addressee: Addressee { Addressee(tokenID: tokenID, installationID: installationID) }
}

extension RecordedDelivery {
    fileprivate var addressee: Addressee { Addressee(tokenID: tokenID, installationID: installationID) }
}
