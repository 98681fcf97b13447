public import DeliveryModel
public import Documents

/// The reactions of people to the notifications on their devices.
public typealias ClicksReport = CounterReport<Clicks>

public enum Clicks: CounterQuestion {
    public static let name = "clicks"
    public static let rates: [Rate] = [.clickThrough, .clickPerAccepted, .dismissal]

    public static let estimatesArrivals = false

    public static let shown: [Measure] = [.accepted, .confirmed, .clicked, .dismissed, .presented]

    public static func json(_ counts: MeasureCounts) -> JSONValue {
        .object(shown.map { counts.member($0) })
    }
}
