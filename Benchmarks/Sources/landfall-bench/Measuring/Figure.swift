/// One measured rate.
struct Figure: Sendable, Encodable {
    enum Unit: String, Sendable, Encodable {
        case requests
        case events
        case tokens
    }

    struct Requests: Sendable, Encodable {
        var all: Int
        var rejected: Int
        /// Those whose connection failed.
        var broken: Int
    }

    /// The name in JSON.
    let name: String
    /// The name in the printed tables.
    let what: String
    let unit: Unit
    /// The amount of work: in first runs the accepted events, in repetitions the duplicates.
    private(set) var count: Int
    private(set) var seconds: Double
    private(set) var perSecond: Double
    /// Per request; `nil` if the figure has no requests.
    var p50Milliseconds: Double?
    var p99Milliseconds: Double?
    /// The processor time that the server and PostgreSQL used, for each event or request; `nil` without a
    /// server or if the system does not report it.
    var processorMicroseconds: Double?
    /// The write-ahead log, for each event or request; `nil` without a server.
    var logBytes: Double?
    /// Only of an overload, in which a server may reject requests.
    var requests: Requests?
    /// The server's peak memory during the measurement, in bytes; `nil` without a server or if the system
    /// does not report it.
    var serverPeakMemory: Int?

    init(_ name: String, _ what: String, _ unit: Unit = .events, count: Int, seconds: Double) {
        self.name = name
        self.what = what
        self.unit = unit
        self.count = count
        self.seconds = seconds
        perSecond = seconds > 0 ? Double(count) / seconds : 0
    }

    /// Combines the same figure of several rounds: the medians of the rates, costs and latencies, and the
    /// worst 99th percentile. Percentiles cannot be added up.
    private init(rounds: [Figure]) {
        self = rounds[0]
        count = rounds.reduce(0) { $0 + $1.count }
        seconds = rounds.reduce(0) { $0 + $1.seconds }
        perSecond = rounds.map(\.perSecond).median ?? 0
        p50Milliseconds = rounds.compactMap(\.p50Milliseconds).median
        p99Milliseconds = rounds.compactMap(\.p99Milliseconds).max()
        processorMicroseconds = rounds.compactMap(\.processorMicroseconds).median
        logBytes = rounds.compactMap(\.logBytes).median
        for round in rounds.dropFirst() {
            requests?.all += round.requests?.all ?? 0
            requests?.rejected += round.requests?.rejected ?? 0
            requests?.broken += round.requests?.broken ?? 0
        }
        serverPeakMemory = rounds.compactMap(\.serverPeakMemory).max()
    }

    /// Combines figures with the same name, in the order in which they were measured first.
    static func combined(_ rounds: [Figure]) -> [Figure] {
        var names: [String] = []
        for figure in rounds where !names.contains(figure.name) { names.append(figure.name) }
        return names.map { name in Figure(rounds: rounds.filter { $0.name == name }) }
    }

    private enum CodingKeys: String, CodingKey {
        case name, what, unit, count, seconds, requests
        case perSecond = "per_second"
        case p50Milliseconds = "p50_ms"
        case p99Milliseconds = "p99_ms"
        case processorMicroseconds = "cpu_us"
        case logBytes = "wal_bytes"
        case serverPeakMemory = "server_peak_memory_bytes"
    }
}

extension [Double] {
    /// The element in the middle; `nil` if there is none.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}

/// Returns how long the work took, in seconds.
func measuring(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}
