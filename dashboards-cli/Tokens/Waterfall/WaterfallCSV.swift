internal import Access
internal import DeliveryModel
internal import Reports

/// One line per day or week, or one for the window. The columns are always the same; rare causes share one.
enum WaterfallCSV {
    private static let causes: [TokenRule] = [
        .unregistered, .badToken, .confirmed, .loggedOut, .expired, .erased, .transferred,
    ]

    static func text(of report: TokenWaterfall) -> CSVText {
        let causeColumns = causes.map { "retired_\($0.rawValue)" } + ["retired_other"]
        var text = CSVText(
            header: ["period", "start", "registered", "revived", "rotated"] + causeColumns + [
                "stale", "suspect", "net", "end", "end_suspect", "end_stale", "end_retired", "app", "unit",
                "from", "to", "time_zone", "as_of",
            ])
        for period in report.periods.isEmpty ? [report.total] : report.periods {
            text.append([.text(period.name ?? "")] + figures(period) + frame(period, of: report))
        }
        return text
    }

    private static func figures(_ period: TokenWaterfall.Period) -> [CSVField] {
        let flows = period.flows
        func count(_ flow: ActiveFlow) -> Int64 { flows[flow, default: 0] }
        let named = causes.map { count(.retired($0.rawValue)) }
        let retired = flows.filter { $0.key.cause != nil }.values.reduce(0, +)
        let numbers =
            [period.start[.active], count(.registered), count(.revived), count(.rotated)] + named
            + [retired - named.reduce(0, +), count(.stale), count(.suspect), period.net]
            + [TokenState.active, .suspect, .stale, .retired].map { period.end[$0] }
        return numbers.map { .integer($0) }
    }

    private static func frame(_ period: TokenWaterfall.Period, of report: TokenWaterfall) -> [CSVField] {
        let zone = report.window.timeZone
        return [
            .text(report.app.slug), .text(report.unit.rawValue), .text(zone.rfc3339(period.from)),
            .text(zone.rfc3339(period.to)), .text(zone.name), .text(zone.rfc3339(report.window.asOf)),
        ]
    }
}
