internal import Access
internal import DeliveryModel
package import Reports

extension TokenWaterfall: RenderableReport {
    private static let causes: [TokenRule] = [
        .unregistered, .badToken, .confirmed, .loggedOut, .expired, .erased, .transferred,
    ]

    /// One line per day or week, or one for the window. The columns are always the same; rare causes share one.
    package var csv: CSVText {
        let causeColumns = Self.causes.map { "retired_\($0.rawValue)" } + ["retired_other"]
        var text = CSVText(
            header: ["period", "start", "registered", "revived", "rotated"] + causeColumns + [
                "stale", "suspect", "net", "end", "end_suspect", "end_stale", "end_retired",
                "registration_failed", "app", "unit",
                "from", "to", "time_zone", "as_of",
            ])
        for period in periods.isEmpty ? [total] : periods {
            text.append([.text(period.name ?? "")] + Self.figures(period) + frame(period))
        }
        return text
    }

    private static func figures(_ period: Period) -> [CSVField] {
        let flows = period.flows
        func count(_ flow: ActiveFlow) -> Int64 { flows[flow, default: 0] }
        let named = causes.map { count(.retired($0.rawValue)) }
        let retired = flows.filter { $0.key.cause != nil }.values.reduce(0, +)
        let numbers =
            [period.start[.active], count(.registered), count(.revived), count(.rotated)] + named
            + [retired - named.reduce(0, +), count(.stale), count(.suspect), period.net]
            + [TokenState.active, .suspect, .stale, .retired].map { period.end[$0] }
        return numbers.map { .integer($0) } + [period.registrationFailures.map { .integer($0) } ?? .text("")]
    }

    private func frame(_ period: Period) -> [CSVField] {
        let zone = window.timeZone
        return [
            .text(app.slug), .text(unit.rawValue), .text(zone.rfc3339(period.from)),
            .text(zone.rfc3339(period.to)), .text(zone.name), .text(zone.rfc3339(window.asOf)),
        ]
    }

    package var emptiness: Emptiness? {
        guard total.end.known == 0 else { return nil }
        return Emptiness(
            sentence: "The ledger has no token of app \(app.slug) before that time",
            hint: "--as-of now shows what is known today.")
    }

    package var htmlPage: HTMLPage { WaterfallTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { WaterfallTable(self, style).lines }
}
