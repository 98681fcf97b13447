internal import DeliveryModel

/// The order of a report's rows, and the number of rows that are shown.
public struct RowOrder: Hashable, Sendable {
    /// The id of a count or rate, highest first; `nil` for the report's own order.
    public var sort: String?
    /// `nil` for all rows.
    public var limit: Int?

    public init(sort: String? = nil, limit: Int? = nil) {
        self.sort = sort
        self.limit = limit
    }

    /// Whether the limit removes the oldest rows, not the last, as for rows by time in the report's order.
    public func keepsLatest(_ query: ReportQuery) -> Bool {
        sort == nil && query.by.contains(where: \.isPeriod)
    }

    /// - Parameter known: the ids of the figures that a row has.
    /// - Throws: ``ReportError/unknownSort(_:known:)``, also if there are no rows.
    func arrange<Row>(
        _ rows: inout [Row], of frame: inout ReportFrame, known: [String], _ figures: (Row) -> Figures
    ) throws(ReportError) {
        if let sort { rows = try sorted(rows, by: sort, known, figures) }
        guard let limit, rows.count > limit else { return }
        frame.rowsLeftOut = rows.count - limit
        rows = Array(keepsLatest(frame.query) ? rows.suffix(limit) : rows.prefix(limit))
    }

    private func sorted<Row>(
        _ rows: [Row], by id: String, _ known: [String], _ figures: (Row) -> Figures
    ) throws(ReportError) -> [Row] {
        let name = id.lowercased().replacing("-", with: "_")
        guard known.contains(name) else { throw .unknownSort(id, known: known) }
        let ranks = rows.map { figures($0).rank(of: name) }
        let order = rows.indices.sorted {
            (ranks[$1].class, ranks[$1].value, $0) < (ranks[$0].class, ranks[$0].value, $1)
        }
        return order.map { rows[$0] }
    }
}

extension Figures {
    var ids: [String] { counts.map(\.id) + rates.map(\.id) }

    /// The rank of a row in the order of a figure: those that have it first, then those whose rate has a
    /// caveat, which is why it is high, then those without it.
    fileprivate func rank(of id: String) -> (class: Int, value: Double) {
        if let count = counts.first(where: { $0.id == id }) {
            return count.value.map { (2, Double($0)) } ?? (0, 0)
        }
        guard let rate = rates.first(where: { $0.id == id }), let value = rate.proportion.value else {
            return (0, 0)
        }
        return (rate.isDoubtful ? 1 : 2, value)
    }
}
