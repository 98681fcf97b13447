public import Documents

extension ReachReport {
    /// The shape of all reports, with these additions: `exact`, true if no sketch was used;
    /// `standard_error` (relative) if one was; `audience_as_of`, the instant of the audience, which is
    /// always exact; `without_target`, which is exact. In a row, `audience` and `audience_reach` are
    /// null, because there is one audience and not one per row; so is `audience_reach` of estimates.
    public var document: JSONValue {
        .object(
            frame.members + precision + [
                .init("audience_as_of", .string(frame.query.timeZone.rfc3339(audienceAsOf))),
                .init("rows", .array(rows.map(Self.json))),
                .init(
                    "totals",
                    [
                        "counts": Self.json(totals, audience: audience),
                        "rates": [
                            "reach": totals.reach.json, "audience_reach": audienceReach?.json ?? .null,
                        ],
                    ]),
            ] + unmatched.members + [.init("without_target", .integer(totals.withoutTarget))] + besides)
    }

    /// The members that are present only if there is something to say.
    private var besides: [JSONValue.Member] {
        [
            completeness.map { JSONValue.Member("completeness", $0.json) },
            comparison.map { JSONValue.Member("comparison", $0.json(of: frame.query)) },
        ].compactMap(\.self)
    }

    private var precision: [JSONValue.Member] {
        guard let standardError else { return [.init("exact", true)] }
        return [.init("exact", false), .init("standard_error", .number(standardError))]
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "key": row.key.json,
            "counts": json(row.counts, audience: nil),
            "rates": ["reach": row.counts.reach.json, "audience_reach": nil],
        ]
    }

    private static func json(_ counts: Counts, audience: Int64?) -> JSONValue {
        [
            "audience": .optional(audience),
            "targeted": .integer(counts.targeted),
            "reached": .integer(counts.reached),
            "engaged": .integer(counts.engaged),
        ]
    }

    /// The data that `--compare` compares. The audience is the present one, whatever the window.
    var side: ReportComparison.Side {
        ReportComparison.Side(
            query: frame.query, rows: rows.map { (key: $0.key, figures: $0.counts.figures) },
            totals: totals.figures,
            nothing: Counts(targeted: 0, reached: 0, engaged: 0, withoutTarget: 0).figures)
    }
}

extension ReachReport.Counts {
    var figures: Figures {
        Figures(
            counts: [.init("targeted", targeted), .init("reached", reached), .init("engaged", engaged)],
            rates: [.init("reach", reach)])
    }
}
