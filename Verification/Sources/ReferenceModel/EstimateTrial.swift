internal import DeliveryModel
public import Reports
internal import Simulation

/// A simulated day with a known number of notifications that really arrived, and the estimate from those
/// reported.
public struct EstimateTrial: Sendable {
    public let seed: UInt64
    /// The share of the reportable notifications to versions that report which really arrived, from 0 to 1.
    public let truth: Double
    /// The share of them that was reported.
    public let reported: Double
    /// `nil` if nothing can be estimated.
    public let estimated: ArrivalEstimate.Estimated?

    public var containsTruth: Bool { estimated?.interval.contains(truth) ?? false }

    /// 2026-03-01T00:00:00Z.
    private static let start: Int64 = 1_772_323_200_000

    /// Simulates one day.
    ///
    /// In the simulation, an extension loses its report independently of reactions. The rate of reactions
    /// depends on campaign and permission, and the rate of reports on the version.
    public static func play(seed: UInt64, installations: Int) -> EstimateTrial {
        let settings = SimulationSettings(seed: seed, start: start, installations: installations)
        let truth = TrafficSimulation.generate(settings).truth
        let capable = truth.versions.filter(\.hasExtension)
        var counts = MeasureCounts()
        for version in capable {
            counts[.accepted] += Int64(version.reportable)
            counts[.reportable] += Int64(version.reportable)
            counts[.arrivedReportable] += Int64(version.arrived)
            counts[.respondedReportable] += Int64(version.responded)
            counts[.confirmedUnreported] += Int64(version.respondedUnreported)
        }
        let estimate = ArrivalEstimate(accepted: Int64(truth.totals.accepted), capable: counts)
        let shown = capable.reduce(0) { $0 + $1.shown }
        return EstimateTrial(
            seed: seed, truth: Double(shown) / Double(max(counts[.reportable], 1)),
            reported: estimate.arrivalCapable.value ?? 0, estimated: estimate.estimated)
    }
}
