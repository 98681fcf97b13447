internal import DeliveryModel
internal import Documents
internal import Instants
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// False deaths by rule in every output format.
struct FalseDeathsReport: RenderableReport {
    let app: String
    let window: Range<Instant>
    let asOf: Instant
    let deaths: FalseDeaths

    var emptiness: Emptiness? {
        guard deaths.rows.isEmpty else { return nil }
        return Emptiness(sentence: "No rule retired a token of app \(app) in this window", hint: nil)
    }

    /// `{"report":"tokens_deaths",…}`: counts of tokens, the share as 0 to 1 with its 95 % interval, instants in UTC.
    var document: JSONValue {
        [
            "report": "tokens_deaths", "app": .string(app), "from": .string(window.lowerBound.rfc3339),
            "to": .string(window.upperBound.rfc3339), "as_of": .string(asOf.rfc3339), "unit": "tokens",
            "rows": .array(deaths.rows.map(Self.json)),
        ]
    }

    private static func json(_ row: FalseDeaths.Row) -> JSONValue {
        [
            "key": ["rule": .string(row.rule)],
            "counts": [
                "retired": .integer(row.retired), "came_back": .integer(row.cameBack),
                "revived": .integer(row.revived), "accepted": .integer(row.accepted),
                "registered": .integer(row.registered),
            ],
            "rates": [
                "false_death": [
                    "numerator": .integer(row.cameBack), "denominator": .integer(row.retired),
                    "value": .optional(row.rate.value), "low": .optional(row.rate.interval?.lowerBound),
                    "high": .optional(row.rate.interval?.upperBound),
                ]
            ],
        ]
    }

    var csv: CSVText { columns.csv(deaths.rows) }

    func table(_ style: OutputStyle) -> TextTable { columns.table(deaths.rows, style) }

    private var columns: Listing<FalseDeaths.Row> {
        Listing(
            .text("rule", "Rule", group: 0) { $0.rule }, .count("retired", "Retired") { $0.retired },
            .count("came_back", "Came back") { $0.cameBack },
            .init(
                heading: TextTable.Column("Rate", group: 1),
                cell: { row, style in
                    TextTable.Cell(row.rate.text(style), (row.rate.value ?? 0) > 0.1 ? .trouble : nil)
                }),
            .count("revived", "Revived", group: 2) { $0.revived },
            .count("accepted", "Accepted", group: 2) { $0.accepted },
            .count("registered", "Registered", group: 2) { $0.registered },
            .init(id: "false_death_rate", value: { .optional($0.rate.value) }), .constant("app", app),
            .constant("from", window.lowerBound.rfc3339), .constant("to", window.upperBound.rfc3339),
            .constant("as_of", asOf.rfc3339))
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading =
            [style.paint("False deaths \(style.dot) \(printable(app))", .title)]
            + facts(style).flatMap { headingLines($0.name, $0.text, style) } + [""]
        let rows = deaths.rows.isEmpty ? ["  \(Self.nothing)"] : table(style).lines(style)
        return heading + rows + [""] + folded(Self.caution, to: style.width)
    }

    func facts(_ style: OutputStyle) -> [HTMLPage.Fact] {
        let (from, to) = (window.lowerBound.utcMinuteWithOffset, window.upperBound.utcMinuteWithOffset)
        return [
            ("retired", "\(from) \(style.arrow) \(to)"),
            ("counted", "tokens, exact; came back by \(asOf.utcMinuteWithOffset)"),
            ("rates", "with their 95 % intervals (Wilson) in brackets"),
        ]
    }

    /// Shown if there are no rows.
    static let nothing = "No rule retired a token in this window."

    static let caution =
        "An upper bound: a reinstalled app may get the same token again although the death was real."
}
