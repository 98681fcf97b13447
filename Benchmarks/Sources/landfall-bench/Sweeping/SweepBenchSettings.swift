/// The number of tokens to sweep, and the traffic posted during the sweep.
struct SweepBenchSettings: Sendable, Encodable {
    /// Registered installations with one token each. A tenth has been stale long enough to retire, and
    /// another tenth silent long enough to become stale.
    var tokens = 10_000_000
    /// Installations that single events are posted for.
    var devices = 20_000
    /// Connections that post single events, responses and arrivals in turns.
    var connections = 64
    /// The mean time that a connection pauses before each event: about 1,000 events per second, far below the
    /// server's capacity, because the benchmark measures latency, not throughput.
    var pauseMilliseconds = 64
    /// The duration of the posts without the sweep, and again with it.
    var seconds = 10
    var warmUpSeconds = 3

    static let full = SweepBenchSettings()

    static let quick = SweepBenchSettings(
        tokens: 100_000, devices: 2_000, connections: 10, pauseMilliseconds: 100, seconds: 1, warmUpSeconds: 1
    )
}
