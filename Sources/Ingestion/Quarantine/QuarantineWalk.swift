internal import PostgresClient
internal import SQLFiles

/// A quarantine in batches, the oldest items first.
struct QuarantineWalk {
    let stock: QuarantineStock
    let filter: QuarantineFilter
    let withText: Bool
    let end: Int64
    private(set) var last: Int64 = 0

    /// The next batch; `nil` after the last item.
    mutating func next() throws -> [QuarantinedItem]? {
        let items = try stock.connection.query(
            .Quarantine.nextItems,
            [.value(stock.appID)] + filter.parameters + [
                .value(QuarantineStock.batchSize), .value(withText), .value(last), .value(end),
            ]
        ).map { try QuarantinedItem($0, of: stock.appID) }
        guard let furthest = items.last else { return nil }
        last = furthest.itemID
        return items
    }
}
