import DeliveryModel
import Testing

@testable import Reports

let shop = App(appID: 1, slug: "shop")

/// A sample instant; 1970 if the text is wrong, which the test will notice.
func instant(_ text: String) -> Instant {
    Instant(rfc3339: text) ?? Instant(millisecondsSinceEpoch: 0)
}

/// A query for 2026-03-01 in Berlin with a breakdown.
func sampleQuery(by dimensions: [Dimension], filters: [ReportFilter] = []) throws -> ReportQuery {
    try ReportQuery(
        app: shop,
        window: ReportWindow(from: instant("2026-02-28T23:00:00Z"), to: instant("2026-03-01T23:00:00Z")),
        timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions, filters: filters)
}

func sampleFrame(
    _ report: String, by dimensions: [Dimension], unit: ReportFrame.Unit = .notifications
) throws -> ReportFrame {
    ReportFrame(
        report: report, query: try sampleQuery(by: dimensions), unit: unit,
        asOf: instant("2026-03-01T12:00:00.250Z"))
}

/// The counts of these numbers of notifications in these states.
func counts(_ states: [(DeliveryState, Int64)]) -> MeasureCounts {
    var counts = MeasureCounts()
    for (state, count) in states { counts.add(count, in: state) }
    return counts
}

let clickedStates: [(DeliveryState, Int64)] = [
    ([.attempted, .accepted, .canReport], 2),
    ([.attempted, .accepted, .canReport, .arrived], 5),
    ([.attempted, .accepted, .canReport, .arrived, .clicked], 1),
    ([.attempted, .accepted, .canReport, .presented, .clicked], 1),
    ([.attempted, .accepted, .dismissed], 1),
]

let rejectedStates: [(DeliveryState, Int64)] = [
    ([.attempted, .rejected(.tokenDead)], 3),
    ([.attempted, .rejected(.throttled), .rejected(.payloadError)], 1),
    ([.attempted, .rejected(.unknown), .arrived], 1),
]
