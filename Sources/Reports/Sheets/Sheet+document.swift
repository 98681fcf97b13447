internal import DeliveryModel
public import Documents

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
