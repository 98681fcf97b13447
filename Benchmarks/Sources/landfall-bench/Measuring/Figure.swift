/// One measured rate.
struct Figure: Sendable, Encodable {
    enum Unit: String, Sendable, Encodable {
        case requests
        case events
        case tokens
    }

    /// The name in JSON.
    let name: String
    /// The name for people.
    let what: String
    let unit: Unit
    /// What was done in the time: for first runs the events that were accepted, for repetitions the duplicates.
    private(set) var count: Int
    private(set) var seconds: Double
    private(set) var perSecond: Double
    /// Of a request; nil where there are none.
    var p50Milliseconds: Double?
    var p99Milliseconds: Double?
    /// Events that changed nothing, or are in quarantine, beside those counted; nil where they are what is counted.
    var duplicates: Int?
    var rejected: Int?
    /// The most memory the server held meanwhile, in bytes; nil without a server, and where the system does not tell.
    var serverPeakMemory: Int?
    /// What the host of a virtual machine took of its processors meanwhile, from 0 to 1; nil where nobody looked or the system does
    /// not tell.
    var stolenShare: Double?

    init(_ name: String, _ what: String, _ unit: Unit = .events, count: Int, seconds: Double) {
        self.name = name
        self.what = what
        self.unit = unit
        self.count = count
        self.seconds = seconds
        perSecond = seconds > 0 ? Double(count) / seconds : 0
    }

    /// The same figure of several rounds as one: the median of the rates. Percentiles cannot be added up: the median of
    /// the rounds' medians, and the worst 99th percentile. Of what was stolen the worst, too.
    init(rounds: [Figure]) {
        self = rounds[0]
        count = rounds.reduce(0) { $0 + $1.count }
        seconds = rounds.reduce(0) { $0 + $1.seconds }
        perSecond = rounds.map(\.perSecond).median ?? 0
        p50Milliseconds = rounds.compactMap(\.p50Milliseconds).median
        p99Milliseconds = rounds.compactMap(\.p99Milliseconds).max()
        duplicates = duplicates == nil ? nil : rounds.reduce(0) { $0 + ($1.duplicates ?? 0) }
        rejected = rejected == nil ? nil : rounds.reduce(0) { $0 + ($1.rejected ?? 0) }
        serverPeakMemory = rounds.compactMap(\.serverPeakMemory).max()
        stolenShare = rounds.compactMap(\.stolenShare).max()
    }

    private enum CodingKeys: String, CodingKey {
        case name, what, unit, count, seconds
        case perSecond = "per_second"
        case p50Milliseconds = "p50_ms"
        case p99Milliseconds = "p99_ms"
        case duplicates, rejected
        case serverPeakMemory = "server_peak_memory_bytes"
        case stolenShare = "stolen_share"
    }
}

extension [Double] {
    /// The one in the middle; nil when there is none.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}

/// Seconds that work took.
func measuring(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}
