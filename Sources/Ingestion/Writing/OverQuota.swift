/// Keeps unmatched events of devices out of the database once the quota of their app is spent.
///
/// Only the row of a notification tells whether an event is unmatched. So a batch is written, rolled back if there are such
/// events, and written again without them. This costs nothing while no quota is spent.
struct OverQuota {
    /// The apps whose quota is spent.
    private let appIDs: Set<Int64>

    init(_ appIDs: Set<Int64>) {
        self.appIDs = appIDs
    }

    /// The items of a batch that may not be recorded.
    struct Excess: Error {
        /// Their indices in the batch as posted.
        let positions: Set<Int>

        func rest(of items: [BatchItem]) -> [BatchItem] {
            items.indices.filter { !positions.contains($0) }.map { items[$0] }
        }

        /// The verdicts on all items.
        ///
        /// - Parameter verdicts: those on the rest.
        func inserted(into verdicts: [Verdict]) -> [Verdict] {
            var rest = verdicts[...]
            return (0..<verdicts.count + positions.count).map { position in
                positions.contains(position) ? Verdict(.overQuota) : rest.popFirst() ?? Verdict(.overQuota)
            }
        }
    }

    /// - Throws: ``Excess`` if unmatched events are beyond the quota of their app; the transaction then has to be rolled back.
    func check(_ accepted: [DeliveryBatch.Accepted], of items: [BatchItem]) throws {
        guard !appIDs.isEmpty else { return }
        let positions = accepted.lazy.filter { event in
            appIDs.contains(items[event.position].appID)
                && items[event.position].isUnmatched(isMatched: event.isMatched)
        }.map(\.position)
        guard positions.isEmpty else { throw Excess(positions: Set(positions)) }
    }
}

extension BatchItem {
    /// Whether it is a device's event that nothing confirms: it counts in the quota of its app.
    fileprivate func isUnmatched(isMatched: Bool) -> Bool { poster == .device && !isMatched && !isProven }

    /// The same for an item with its verdict.
    public func isUnmatched(_ verdict: Verdict) -> Bool {
        verdict.outcome == .accepted && isUnmatched(isMatched: verdict.isMatched)
    }
}
