/// The outcome of the requests of one run of the load generator.
struct LoadOutcome: Sendable {
    /// The time during which requests were sent, in seconds.
    let seconds: Double
    /// Requests that were due while no connection was free, and so were not sent.
    var unsent = 0
    var sent = 0
    /// Responses of 200.
    var accepted = 0
    /// Responses of 503 or 429.
    var rejected = 0
    /// All other responses.
    var otherwise = 0
    /// Connections that broke before the response.
    var broken = 0
    /// Requests without a response when the generator gave up.
    var withoutResponse = 0
    /// Events that the server reported as accepted, in total.
    var acceptedEvents = 0
    /// The accepted events within the time that counts for rates, and their requests.
    private var countedEvents = 0
    private var countedRequests = 0
    /// Events in requests without a response: their outcome is unknown.
    var unknownEvents = 0
    /// Milliseconds from when a request was due until its response of 200.
    var latencies: [Double] = []

    init(seconds: Double) {
        self.seconds = seconds
    }

    mutating func count(_ response: HTTPResponse, due: Double, now: Double) {
        switch response.status {
        case 200:
            accepted += 1
            acceptedEvents += response.accepted
            if countedFrom < now, now <= seconds {
                countedRequests += 1
                countedEvents += response.accepted
            }
            latencies.append((now - due) * 1_000)
        case 503, 429: rejected += 1
        default: otherwise += 1
        }
    }

    /// Responses come in batches: at the beginning there are none, and those after the end were processed without load. Between
    /// the first fifth and the end, they come as fast as the server processes requests.
    private var countedFrom: Double { seconds / 5 }
    var eventsPerSecond: Double { Double(countedEvents) / (seconds - countedFrom) }
    var requestsPerSecond: Double { Double(countedRequests) / (seconds - countedFrom) }
    var responded: Int { accepted + rejected + otherwise }
}

extension [Double] {
    /// The smallest value that at least this percentage of all values do not exceed (nearest rank); `nil` if there is none.
    func percentile(_ percent: Double) -> Double? {
        guard !isEmpty else { return nil }
        let rank = Int((percent / 100 * Double(count)).rounded(.up))
        return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
    }
}
