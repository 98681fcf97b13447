/// The number of tokens to sweep, and the traffic posted during the sweep.
struct SweepBenchSettings: Sendable, Encodable {
    /// Registered installations with one token each. A tenth has been stale long enough to retire, and another tenth silent long
    /// enough to become stale.
    var tokens = 10_000_000
    /// Installations that single events are posted for.
    var devices = 20_000
    /// Single events sent by the clock, responses and arrivals alternately: far below the server's capacity, because the
    /// benchmark measures latency, not throughput.
    var requestsPerSecond = 1_000.0
    /// Enough for one to be nearly always free: the wait for a connection is not measured.
    var connections = 512
    /// The duration of the posts without the sweep, and again with it.
    var seconds = 10.0
    var warmUpSeconds = 3.0

    static let full = SweepBenchSettings()

    static let quick = SweepBenchSettings(
        tokens: 100_000, devices: 2_000, requestsPerSecond: 100, connections: 256, seconds: 1,
        warmUpSeconds: 1
    )
}
