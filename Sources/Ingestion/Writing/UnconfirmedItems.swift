/// Items that need a confirmation, and for which there is none.
///
/// Only the row of a notification tells. So these items are written, the transaction is rolled back, and the rest is written again.
struct UnconfirmedItems: Error {
    /// Their indices in the batch as posted; at least one.
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
