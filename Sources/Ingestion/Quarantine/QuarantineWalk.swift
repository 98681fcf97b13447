internal import PostgresClient
internal import SQLFiles

/// A quarantine in batches, the oldest items first.
struct QuarantineWalk {
    private let stock: QuarantineStock
    private let filter: QuarantineFilter
    private let withText: Bool
    private let end: Int64
    private var last: Int64 = 0

    init(stock: QuarantineStock, filter: QuarantineFilter, withText: Bool, end: Int64) {
        self.stock = stock
        self.filter = filter
        self.withText = withText
        self.end = end
    }

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
