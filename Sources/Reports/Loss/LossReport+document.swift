internal import DeliveryModel
public import Documents

extension LossReport {
    /// The shape of all reports. `superseded` is null if it was not counted; then `superseded_reason` says why.
    public var document: JSONValue {
        let rows = rows.map { JSONValue.object([.init("key", $0.key.json)] + Self.members($0.counts)) }
        var members =
            frame.members + [
                .init("rows", .array(rows)), .init("totals", .object(Self.members(totals))),
            ] + unmatched.members
        if let supersededReason { members.append(.init("superseded_reason", .string(supersededReason))) }
        if let completeness { members.append(.init("completeness", completeness.json)) }
        if let comparison { members.append(.init("comparison", comparison.json(of: frame.query))) }
        return .object(members)
    }

    private static func members(_ counts: LossCounts) -> [JSONValue.Member] {
        let classes = RejectionClass.allCases.filter { counts.counts[.rejected($0)] > 0 }
        let rejected = classes.map { JSONValue.Member($0.rawValue, .integer(counts.counts[.rejected($0)])) }
        let losses = Loss.allCases.map { JSONValue.Member($0.rawValue, .optional(counts[$0])) }
        return [
            .init(
                "counts",
                .object(
                    [counts.counts.member(.attempted), .init("rejected", .object(rejected))]
                        + [counts.counts.member(.accepted)] + losses
                        + [Measure.confirmed, .clicked].map { counts.counts.member($0) })),
            .init("rates", .object(rates.map { .init($0.id, $0.json(in: counts.counts)) })),
        ]
    }

    /// The data that `--compare` compares.
    var side: ReportComparison.Side {
        ReportComparison.Side(
            query: frame.query, rows: rows.map { (key: $0.key, figures: $0.counts.figures) },
            totals: totals.figures,
            nothing: LossCounts(counts: MeasureCounts(), losses: totals.losses.mapValues { _ in 0 }).figures)
    }
}
