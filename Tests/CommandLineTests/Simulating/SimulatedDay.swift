import Simulation

/// A small day of traffic for tests that compare with its truth.
enum SimulatedDay {
    /// 2026-03-01T00:00:00Z.
    static let start: Int64 = 1_772_323_200_000

    static let traffic = TrafficSimulation.generate(
        SimulationSettings(start: start, installations: 200, reportsDeviceClock: false))
}
