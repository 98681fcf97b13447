/// What became of the requests of one run of the load generator.
struct LoadOutcome: Sendable {
    /// How long requests were sent.
    let seconds: Double
    /// Requests that were due while no connection was free, and so were not sent.
    var unsent = 0
    var sent = 0
    /// Answered 200.
    var accepted = 0
    /// Answered 503 or 429.
    var refused = 0
    /// Answered otherwise.
    var otherwise = 0
    /// Connections that broke before the answer.
    var broken = 0
    /// Had no answer when the generator gave up.
    var unanswered = 0
    /// Events that the server said it accepted, in all.
    var acceptedEvents = 0
    /// The same in the time that counts for rates, and the requests they came with.
    private var countedEvents = 0
    private var countedRequests = 0
    /// Events in requests without an answer: nobody knows what became of them.
    var unknownEvents = 0
    /// Of answers with 200, from when the request was due, in milliseconds.
    var latencies: [Double] = []

    init(seconds: Double) {
        self.seconds = seconds
    }

    mutating func count(_ answer: HTTPAnswer, due: Double, now: Double) {
        switch answer.status {
        case 200:
            accepted += 1
            acceptedEvents += answer.accepted
            if countedFrom < now, now <= seconds {
                countedRequests += 1
                countedEvents += answer.accepted
            }
            latencies.append((now - due) * 1_000)
        case 503, 429: refused += 1
        default: otherwise += 1
        }
    }

    /// Answers come in batches: at first there are none, and those behind the end were worked on without load. Between the
    /// first fifth and the end as many come as are worked on.
    private var countedFrom: Double { seconds / 5 }
    var eventsPerSecond: Double { Double(countedEvents) / (seconds - countedFrom) }
    var requestsPerSecond: Double { Double(countedRequests) / (seconds - countedFrom) }
    var answered: Int { accepted + refused + otherwise }
}

extension [Double] {
    /// The smallest value that so many percent of all do not exceed (nearest rank); nil when there is none.
    func percentile(_ percent: Double) -> Double? {
        guard !isEmpty else { return nil }
        let rank = Int((percent / 100 * Double(count)).rounded(.up))
        return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
    }
}
