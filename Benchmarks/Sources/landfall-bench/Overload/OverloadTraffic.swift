/// Endless requests: the responses for some notifications, then the arrivals of the accepted ones, then the next notifications.
struct OverloadTraffic: Sendable {
    private let pairs: [(responses: StampedRequest, arrivals: StampedRequest)]
    private var next = 0

    init(_ notifications: [BenchNotification], eventsPerRequest: Int, key: String) {
        pairs = stride(from: 0, through: notifications.count - eventsPerRequest, by: eventsPerRequest).map {
            start in
            let some = notifications[start..<start + eventsPerRequest]
            let arrivals = some.filter(\.isAccepted).map(\.arrival)
            return (
                StampedRequest(PostedBody(bulk: some.map(\.response)[...]), key: key),
                StampedRequest(PostedBody(bulk: arrivals[...]), key: key)
            )
        }
    }

    /// Writes the next request into the buffer. Returns the number of its events.
    mutating func write(to buffer: inout [UInt8]) -> Int {
        defer { next += 1 }
        let pair = pairs[next / 2 % pairs.count]
        let request = next.isMultiple(of: 2) ? pair.responses : pair.arrivals
        request.write(number: UInt64(next / 2), to: &buffer)
        return request.eventCount
    }
}
