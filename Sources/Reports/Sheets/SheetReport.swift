internal import DeliveryModel
public import Documents

/// A result of which every format is a rendering of its ``sheet``.
public protocol Sheeted: Sendable {
    var sheet: Sheet { get }
}

extension Sheeted {
    /// One JSON document, in the contract's order.
    public var document: JSONValue { sheet.document }
}

/// A report about notifications with rows.
public protocol SheetReport: Report, Sheeted {
    associatedtype Row: Sendable
    var rows: [Row] { get set }
    var frame: ReportFrame { get set }
    /// `nil` unless the query names another window.
    var comparison: ReportComparison? { get set }
}

extension SheetReport {
    /// Reads a report, and compares it with that of another window if the query names one.
    static func compared(_ query: ReportQuery, _ read: (ReportQuery) throws -> Self) throws -> Self {
        var report = try read(query)
        if let window = query.comparison {
            let before = try read(query.with(window: window))
            report.comparison = ReportComparison(now: report.side, before: before.side)
        }
        return report
    }

    /// The data that `--compare` compares.
    var side: ReportComparison.Side { sheet.side }

    /// The totals, for a comparison with those of another report.
    public var totalFigures: Figures {
        let sheet = sheet
        return sheet.figures(sheet.totals)
    }

    public mutating func arrange(_ order: RowOrder) throws(ReportError) {
        guard order != RowOrder() || comparison != nil else { return }
        let sheet = sheet
        var (numbered, frame) = (Array(zip(sheet.rows, rows)), frame)
        try order.arrange(&numbered, of: &frame, known: sheet.orders) { sheet.figures($0.0.values) }
        (rows, self.frame) = (numbered.map(\.1), frame)
        comparison?.follow(numbered.map(\.0.key), leavesOutOthers: frame.rowsLeftOut > 0)
    }
}

extension Sheet {
    /// The ids of counts and rates that the rows can be sorted by.
    public var orders: [String] { figures(totals).ids }

    /// The counts and rates among these values, which can be compared with those of other rows.
    public func figures(_ values: [SheetValue]) -> Figures {
        let known = zip(columns, values).filter { $0.0.places.contains(.figure) }
        return Figures(
            counts: known.filter { $0.0.kind != .rate }.map { column, value in
                let isTime = column.kind == .milliseconds
                return Figures.Count(
                    id: column.id, value: isTime ? value.milliseconds : value.count,
                    unit: isTime ? .milliseconds : .count)
            },
            rates: known.compactMap { column, value in
                value.rate.map { rate in
                    Figures.Share(id: column.id, proportion: rate, isDoubtful: value.isDoubtful)
                }
            })
    }

    var side: ReportComparison.Side {
        ReportComparison.Side(
            query: frame.query, rows: rows.map { (key: $0.key, figures: figures($0.values)) },
            totals: figures(totals), nothing: figures(nothing))
    }
}
