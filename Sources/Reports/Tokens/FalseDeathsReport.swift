public import DeliveryModel
public import PostgresClient
internal import TokenLifecycle

/// False deaths by rule: counts of tokens, the share as 0 to 1 with its 95 % interval, instants in UTC.
public struct FalseDeathsReport: Sheeted {
    public let app: App
    let window: Range<Instant>
    let asOf: Instant
    let deaths: FalseDeaths

    public var isEmpty: Bool { deaths.rows.isEmpty }

    /// - Throws: `PostgresError`.
    public static func run(
        for app: App, in window: Range<Instant>, on connection: PostgresConnection, now: Instant
    ) throws -> FalseDeathsReport {
        let deaths = try FalseDeaths(
            appID: app.appID, from: window.lowerBound, to: window.upperBound, on: connection)
        return FalseDeathsReport(app: app, window: window, asOf: now, deaths: deaths)
    }

    private typealias Field = SheetField<FalseDeaths.Row?>

    private var fields: [Field] {
        let places: SheetColumn.Places = [.rows, .csv]
        var rate = SheetColumn("false_death", .rate, title: "Rate", ink: .trouble, in: .rows)
        rate.inkAbove = 0.1
        return [
            .words("rule", at: ["key", "rule"]) { $0?.rule }, .count("retired", in: places) { $0?.retired },
            .count("came_back", in: places) { $0?.cameBack },
            Field(rate) { $0.map { .rate($0.rate) } ?? .none },
            .count("revived", in: places) { $0?.revived }, .count("accepted", in: places) { $0?.accepted },
            .count("registered", in: places) { $0?.registered },
            Field(SheetColumn("false_death_rate", .rate, in: .csv, isPlain: true)) {
                $0.map { .rate($0.rate) } ?? .none
            },
            .constant("app", app.slug), .constant("from", window.lowerBound.rfc3339),
            .constant("to", window.upperBound.rfc3339), .constant("as_of", asOf.rfc3339),
        ]
    }

    public var sheet: Sheet {
        let (from, to) = (window.lowerBound.utcMinuteWithOffset, window.upperBound.utcMinuteWithOffset)
        var sheet = Sheet(
            "False deaths", of: app, asOf: asOf,
            members: [
                "report": "tokens_deaths", "app": .string(app.slug),
                "from": .string(window.lowerBound.rfc3339), "to": .string(window.upperBound.rfc3339),
                "as_of": .string(asOf.rfc3339), "unit": "tokens",
            ],
            facts: [
                ("retired", "\(from) → \(to)"),
                ("counted", "tokens, exact; came back by \(asOf.utcMinuteWithOffset)"),
                ("rates", "with their 95 % intervals (Wilson) in brackets"),
            ], fields, rows: deaths.rows, totals: nil)
        sheet.table = [
            ["rule"], ["retired", "came_back", "false_death"], ["revived", "accepted", "registered"],
        ]
        sheet.emptyTable = "No rule retired a token in this window."
        (sheet.isTableFirst, sheet.hasTableTotals, sheet.isTableFolded) = (true, false, true)
        sheet.note =
            "An upper bound: a reinstalled app may get the same token again although the death was real."
        let all = Proportion(
            deaths.rows.reduce(0) { $0 + $1.cameBack }, of: deaths.rows.reduce(0) { $0 + $1.retired })
        let (cameBack, retired) = (Words.number(all.numerator), Words.number(all.denominator))
        sheet.headline =
            all.denominator > 0
            ? "\(cameBack) of \(retired) retired tokens came back: \(Headline.share(all))."
            : sheet.emptyTable ?? ""
        sheet.pictures = [
            .figures([
                SheetFigure("retired", .count(all.denominator), "tokens"),
                SheetFigure(
                    "came back", .count(all.numerator), "\(Headline.share(all)) of retired", .trouble),
            ]), .bars(bars),
        ]
        return sheet
    }

    private var bars: SheetBars {
        let highest = deaths.rows.compactMap { $0.rate.interval?.upperBound }.max() ?? 1
        let full = min(1, max(highest, 0.001))
        return SheetBars(
            title: "Came back, by rule",
            caption:
                "The share of the tokens that a rule retired, with the 95 % interval (Wilson). A full bar is "
                + "\(Words.percent(full)) %.",
            headings: ("Rule", "Share", ""),
            bars: deaths.rows.map { row in
                .init(
                    name: row.rule, value: "\(Headline.share(row.rate)) of \(Words.number(row.retired))",
                    length: (row.rate.value ?? 0) / full,
                    interval: row.rate.interval.map {
                        ($0.lowerBound / full)...min(1, $0.upperBound / full)
                    }, ink: .trouble)
            })
    }
}
