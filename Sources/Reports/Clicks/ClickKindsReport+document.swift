internal import DeliveryModel
public import Documents

extension ClickKindsReport {
    /// The shape of all reports. `counts` are clicked, opened, background and with_text; the only rate is `click_share`, of all clicks of the
    /// report.
    public var document: JSONValue {
        .object(
            frame.members + [
                .init(
                    "rows",
                    .array(rows.map { .object([.init("key", $0.key.json)] + members($0.clicks)) })),
                .init("totals", .object(members(totals))),
            ] + unmatched.members + besides)
    }

    /// The members that are present only if there is something to say.
    private var besides: [JSONValue.Member] {
        [
            completeness.map { JSONValue.Member("completeness", $0.json) },
            comparison.map { JSONValue.Member("comparison", $0.json(of: frame.query)) },
        ].compactMap(\.self)
    }

    private func members(_ clicks: ClickKinds) -> [JSONValue.Member] {
        let figures = clicks.figures(of: totals)
        return [
            .init("counts", .object(figures.counts.map { .init($0.id, .optional($0.value)) })),
            .init("rates", .object(figures.rates.map { .init($0.id, $0.proportion.json) })),
        ]
    }
}
