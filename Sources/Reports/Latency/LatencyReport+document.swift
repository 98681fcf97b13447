internal import DeliveryModel
public import Documents
internal import Instants

extension LatencyReport {
    /// The shape of all reports, with these differences: instead of counts and rates, `stages` in whole
    /// milliseconds, null if there are no notifications, and `by_receipt`, the number with a time of
    /// receipt instead of the device's; `relative_error`, the maximum error of these; in the totals also
    /// `counts`, some of which have no known times, and `histogram`, whose last bucket may have no `to_ms`.
    public var document: JSONValue {
        .object(
            frame.members + [
                .init("relative_error", .number(Self.relativeError)),
                .init(
                    "rows",
                    .array(rows.map { ["key": $0.key.json, "stages": Self.json($0.stages, isWhole: false)] })),
                .init(
                    "totals",
                    [
                        "counts": .object([counts.member(.arrived), counts.member(.clicked)]),
                        "stages": Self.json(totals, isWhole: true),
                    ]),
            ] + unmatched.members + besides)
    }

    /// The members that are present only if there is something to say.
    private var besides: [JSONValue.Member] {
        [
            completeness.map { JSONValue.Member("completeness", $0.json) },
            comparison.map { JSONValue.Member("comparison", $0.json(of: frame.query)) },
        ].compactMap(\.self)
    }

    private static func json(_ stages: Stages, isWhole: Bool) -> JSONValue {
        .object(
            LatencyStage.allCases.map { stage in
                let histogram = stages[stage]
                var members = [JSONValue.Member("count", .integer(histogram.count))]
                members += LatencyQuantile.allCases.map { quantile in
                    .init(quantile.rawValue, .optional(histogram.quantile(quantile.share)?.milliseconds))
                }
                members.append(.init("by_receipt", .integer(stages.byReceipt(stage))))
                if isWhole { members.append(.init("histogram", .array(histogram.entries.map(json)))) }
                return .init(stage.rawValue, .object(members))
            })
    }

    private static func json(_ entry: LatencyHistogram.Entry) -> JSONValue {
        [
            "from_ms": .integer(entry.bucket.from), "to_ms": .optional(entry.bucket.to),
            "notifications": .integer(entry.notifications),
        ]
    }
}

extension LatencyReport.Stages {
    /// The figures by their names in CSV: `arrival_count`, `arrival_p50_ms` (milliseconds; `nil` if there are
    /// no notifications), …
    public var figures: Figures {
        Figures(
            counts: LatencyStage.allCases.flatMap { stage -> [Figures.Count] in
                let histogram = self[stage]
                return [.init("\(stage.rawValue)_count", histogram.count)]
                    + LatencyQuantile.allCases.map {
                        .init(
                            "\(stage.rawValue)_\($0.rawValue)", histogram.quantile($0.share)?.milliseconds,
                            .milliseconds)
                    }
            }, rates: [])
    }
}
