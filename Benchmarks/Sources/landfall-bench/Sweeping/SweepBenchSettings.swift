/// How much is swept, and what is posted meanwhile.
struct SweepBenchSettings: Sendable, Encodable {
    /// Registered installations with one token each. A tenth is stale for long enough to retire, another is silent for long enough
    /// to become stale.
    var tokens = 10_000_000
    /// Devices that single events are posted for.
    var devices = 20_000
    /// Single events by the clock, answers and arrivals in turns: much less than the server can do, because what is measured is
    /// how long one waits, not how many there can be.
    var requestsPerSecond = 1_000.0
    /// So many that one is nearly always free: what waits for a connection is not measured.
    var connections = 512
    /// How long they are posted, without the sweep and with it.
    var seconds = 10.0
    var warmUpSeconds = 3.0

    static let full = SweepBenchSettings()

    static let quick = SweepBenchSettings(
        tokens: 100_000, devices: 2_000, requestsPerSecond: 100, connections: 256, seconds: 1,
        warmUpSeconds: 1
    )
}
