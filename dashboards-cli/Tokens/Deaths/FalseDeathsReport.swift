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
                    "value": number(row.rate.value), "low": number(row.rate.interval?.lowerBound),
                    "high": number(row.rate.interval?.upperBound),
                ]
            ],
        ]
    }

    private static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

    var csv: CSVText {
        var text = CSVText(header: [
            "rule", "retired", "came_back", "revived", "accepted", "registered", "false_death_rate", "app",
            "from", "to", "as_of",
        ])
        for row in deaths.rows {
            text.append([
                .text(row.rule), .integer(row.retired), .integer(row.cameBack), .integer(row.revived),
                .integer(row.accepted), .integer(row.registered), .number(row.rate.value), .text(app),
                .text(window.lowerBound.rfc3339), .text(window.upperBound.rfc3339), .text(asOf.rfc3339),
            ])
        }
        return text
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

    func table(_ style: OutputStyle) -> TextTable {
        var table = TextTable([
            .init("Rule", isNumber: false, group: 0), .init("Retired", group: 1),
            .init("Came back", group: 1),
            .init("Rate", group: 1), .init("Revived", group: 2), .init("Accepted", group: 2),
            .init("Registered", group: 2),
        ])
        table.rows = deaths.rows.map { row in
            [
                .init(row.rule), .init(grouped(row.retired)), .init(grouped(row.cameBack)),
                .init(row.rate.text(style), (row.rate.value ?? 0) > 0.1 ? .trouble : nil),
                .init(grouped(row.revived)), .init(grouped(row.accepted)), .init(grouped(row.registered)),
            ]
        }
        return table
    }
}
