public import DeliveryModel
public import Documents

/// The progress of notifications from the attempt to the click.
public typealias FunnelReport = CounterReport<Funnel>

public enum Funnel: CounterQuestion {
    public static let name = "funnel"
    public static let rates: [Rate] = [.acceptance, .arrival, .clickThrough]

    public static let estimatesArrivals = true

    public static let shown: [Measure] =
        [.attempted, .accepted] + RejectionClass.allCases.map(Measure.rejected) + [
            .conflicting, .reportable, .arrived, .arrivedReportable, .confirmed, .confirmedSigned, .presented,
            .clicked, .dismissed, .confirmedUnreported, .contradicted, .misdirected,
        ]

    /// Groups the rejections, with only the classes that occurred. Omits `arrived_reportable`,
    /// which the document contains as the numerator of a rate.
    public static func json(_ counts: MeasureCounts) -> JSONValue {
        let classes = RejectionClass.allCases.filter { counts[.rejected($0)] > 0 }
        let rejected = classes.map { JSONValue.Member($0.rawValue, .integer(counts[.rejected($0)])) }
        let apart = Set(
            [.attempted, .accepted, .arrivedReportable] + RejectionClass.allCases.map(Measure.rejected))
        return .object(
            [.attempted, .accepted].map { counts.member($0) }
                + [.init("rejected", .object(rejected))]
                + shown.filter { !apart.contains($0) }.map { counts.member($0) })
    }
}
