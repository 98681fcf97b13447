/// The figures of one overload.
struct OverloadFigures: Sendable, Encodable {
    /// Events per second when every connection waited for its response: the mean of before and after the overload.
    let capacity: Double
    let capacityP50Milliseconds: Double?
    let capacityP99Milliseconds: Double?
    /// Requests per second sent by the clock, and the seconds this lasted.
    let offeredPerSecond: Double
    let seconds: Double
    /// Requests that were due while all connections waited for responses, and so were not sent.
    let unsent: Int
    let sent: Int
    let accepted: Int
    let rejected: Int
    let otherResponses: Int
    let broken: Int
    let withoutResponse: Int
    let acceptedEventsPerSecond: Double
    /// The time from when a request was due until its response of 200.
    let p50Milliseconds: Double?
    let p99Milliseconds: Double?
    /// The share of one core that the load generator used.
    let generatorShare: Double
    /// In bytes; `nil` if the system does not report it.
    let serverPeakMemory: Int?

    /// - Parameter capacity: one or more measurements, each over the same time.
    init(
        capacity: [LoadOutcome], overload: LoadOutcome, offeredPerSecond: Double, generatorShare: Double,
        serverPeakMemory: Int?
    ) {
        self.capacity = capacity.map(\.eventsPerSecond).reduce(0, +) / Double(max(1, capacity.count))
        let latencies = capacity.flatMap(\.latencies)
        capacityP50Milliseconds = latencies.percentile(50)
        capacityP99Milliseconds = latencies.percentile(99)
        self.offeredPerSecond = offeredPerSecond
        seconds = overload.seconds
        unsent = overload.unsent
        sent = overload.sent
        accepted = overload.accepted
        rejected = overload.rejected
        otherResponses = overload.otherwise
        broken = overload.broken
        withoutResponse = overload.withoutResponse
        acceptedEventsPerSecond = overload.eventsPerSecond
        p50Milliseconds = overload.latencies.percentile(50)
        p99Milliseconds = overload.latencies.percentile(99)
        self.generatorShare = generatorShare
        self.serverPeakMemory = serverPeakMemory
    }

    /// The share of its capacity that the server still accepts.
    var goodput: Double { capacity > 0 ? acceptedEventsPerSecond / capacity : 0 }

    /// The share of sent requests whose response states the outcome plainly: 200, 503 or 429.
    var plainlyResponded: Double { sent > 0 ? Double(accepted + rejected) / Double(sent) : 0 }

    private enum CodingKeys: String, CodingKey {
        case capacity
        case capacityP50Milliseconds = "capacity_p50_ms"
        case capacityP99Milliseconds = "capacity_p99_ms"
        case offeredPerSecond, seconds, unsent, sent, accepted, rejected, otherResponses, broken,
            withoutResponse
        case acceptedEventsPerSecond
        case p50Milliseconds = "p50_ms"
        case p99Milliseconds = "p99_ms"
        case generatorShare
        case serverPeakMemory = "server_peak_memory_bytes"
    }
}

extension [OverloadFigures] {
    /// The round in the middle, by goodput; `nil` if there is none.
    var median: OverloadFigures? {
        isEmpty ? nil : sorted { $0.goodput < $1.goodput }[count / 2]
    }
}
