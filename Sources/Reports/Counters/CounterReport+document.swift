internal import DeliveryModel
public import Documents

extension CounterReport {
    public var document: JSONValue {
        let rows = rows.map { row in
            JSONValue.object(
                [.init("key", row.key.json)] + Self.members(row.counts, context.arrivals?.rows[row.key]))
        }
        return .object(
            frame.members + [
                .init("rows", .array(rows)),
                .init("totals", .object(Self.members(totals, context.arrivals?.totals))),
            ] + unmatched.members + besides)
    }

    private static func members(_ counts: MeasureCounts, _ estimate: ArrivalEstimate?) -> [JSONValue.Member] {
        let rates = Question.rates.map { JSONValue.Member($0.id, $0.json(in: counts)) }
        let estimates =
            Question.estimatesArrivals ? estimate?.members ?? ArrivalEstimate.unreadMembers : []
        return [.init("counts", Question.json(counts)), .init("rates", .object(rates + estimates))]
    }

    /// The members that are present only if there is something to say.
    private var besides: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let completeness = context.completeness {
            members.append(.init("completeness", completeness.json))
        }
        if !variantComparisons.isEmpty {
            members.append(.init("comparisons", .array(variantComparisons.map(\.json))))
        }
        if let comparison = context.comparison {
            members.append(.init("comparison", comparison.json(of: frame.query)))
        }
        return members
    }
}

extension CounterReport {
    /// Each variant of the selected campaign compared with its control; empty unless the query
    /// selects exactly one campaign and the breakdown includes the variant.
    public var variantComparisons: [VariantComparison] {
        let query = frame.query
        guard query.values(of: .campaign).count == 1,
            let position = query.by.firstIndex(of: .variant)
        else { return [] }
        return VariantComparison.all(
            rows.map { (variant: $0.key.parts[position].value, counts: $0.counts) })
    }

    /// The data that `--compare` compares.
    var side: ReportComparison.Side {
        ReportComparison.Side(
            query: frame.query, rows: rows.map { (key: $0.key, figures: Self.figures($0.counts)) },
            totals: Self.figures(totals), nothing: Self.figures(MeasureCounts()))
    }

    /// The totals, for a comparison with those of another report.
    public var figures: Figures { Self.figures(totals) }

    static func figures(_ counts: MeasureCounts) -> Figures {
        Figures(
            counts: Question.shown.map { .init($0.rawValue, counts[$0]) },
            rates: Question.rates.map { .init($0, in: counts) })
    }
}
