public import DeliveryModel
public import SQLFiles

/// What people did with the notifications their devices had.
public typealias ClicksReport = CounterReport<Clicks>

public enum Clicks: CounterQuestion {
    public static let name = "clicks"
    public static let file = SQLFile.Reports.clicks
    public static let rates: [Rate] = [.clickThrough, .clickPerAccepted, .dismissal]

    public static let shown: [Measure] = [.accepted, .confirmed, .clicked, .dismissed, .presented]
    /// Attempts only put the rows in order.
    public static let measures: [Measure] = [.attempted] + shown

    public static func json(_ counts: MeasureCounts) -> JSONValue {
        .object(shown.map { counts.member($0) })
    }
}
