public import DeliveryModel

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
                Figures.Count(
                    id: column.id, value: value.count,
                    unit: column.kind == .milliseconds ? .milliseconds : .count)
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

extension Sheet {
    /// The report as one JSON document, in the contract's order.
    public var document: JSONValue {
        let sums = totalMembers
        return .object(
            (frameMembers ?? frame.members) + precedingMembers + [.init(rowsMember, .array(rowDocuments))]
                + (sums.isEmpty ? [] : [.init("totals", .object(sums))])
                + (unmatched?.members ?? []) + followingMembers + besides)
    }

    var rowDocuments: [JSONValue] {
        let nodes = nodes(in: .rows)
        return rows.map { row in
            let key = row.key.parts.isEmpty ? [] : [JSONValue.Member("key", row.key.json)]
            return .object(key + members(nodes, row.values))
        }
    }

    var totalMembers: [JSONValue.Member] { members(nodes(in: .totals), totals) }

    /// The members that are present only if there is something to say.
    private var besides: [JSONValue.Member] {
        [
            completeness.map { JSONValue.Member("completeness", $0.json) },
            variants.isEmpty ? nil : .init("comparisons", .array(variants.map(\.json))),
            comparison.map { .init("comparison", $0.json(of: frame.query)) },
        ].compactMap(\.self)
    }

    // MARK: - Rows

    /// A member of each row: the value of a column, or an object of further members.
    private indirect enum Node {
        case value(String, column: Int)
        case object(String, [Node])
    }

    private func nodes(in place: SheetColumn.Places) -> [Node] {
        Self.nodes(
            columns.enumerated().filter { $1.places.contains(place) }.map { (path: $1.path[...], column: $0) }
        )
    }

    private static func nodes(_ leaves: [(path: ArraySlice<String>, column: Int)]) -> [Node] {
        var names: [String] = []
        for name in leaves.compactMap(\.path.first) where !names.contains(name) { names.append(name) }
        // The key and the counts come first, whatever the order of the columns in CSV.
        let first = ["key", "counts"].filter(names.contains)
        return (first + names.filter { !first.contains($0) }).map { name in
            let own = leaves.filter { $0.path.first == name }
            if own.count == 1, own[0].path.count == 1 { return .value(name, column: own[0].column) }
            return .object(name, nodes(own.map { (path: $0.path.dropFirst(), column: $0.column) }))
        }
    }

    private func members(_ nodes: [Node], _ values: [SheetValue]) -> [JSONValue.Member] {
        nodes.compactMap { node in
            switch node {
            case .object(let name, let inner): .init(name, .object(members(inner, values)))
            case .value(let name, let column):
                columns[column].omitsZero && values[column] == .count(0)
                    ? nil : .init(name, json(values[column]))
            }
        }
    }

    private func json(_ value: SheetValue) -> JSONValue {
        switch value {
        case .none: .null
        case .count(let count), .estimate(let count), .milliseconds(let count): .integer(count)
        case .rate(let rate, let caveat):
            .object(rate.jsonMembers + (caveat.map { [.init("caveat", .string($0))] } ?? []))
        case .estimatedRate(let rate): .object(rate.members)
        case .words(let words, _, _): .string(words)
        case .names(let names): .array(names.map { .string($0) })
        case .instant(let instant): .string(frame.query.timeZone.rfc3339(instant))
        case .document(let document): document
        }
    }
}

extension EstimatedRate {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("numerator", .optional(numerator)), .init("denominator", .optional(denominator)),
            .init("value", .optional(value)), .init("low", .optional(interval?.lowerBound)),
            .init("high", .optional(interval?.upperBound)),
        ] + basis
    }
}
