/// The events that are posted in bulk over HTTP, passed to the writer, and sent as statements: the same three
/// times.
struct BulkTraffic: Sendable {
    let responses: [PostedBody]
    let arrivals: [PostedBody]

    init(_ notifications: [BenchNotification], settings: BenchSettings) {
        let size = settings.eventsPerBulkRequest
        responses = PostedBody.bulk(notifications.map(\.response), size: size)
        arrivals = PostedBody.bulk(notifications.filter(\.isAccepted).map(\.arrival), size: size)
    }

    /// The same events, to be posted once more.
    var repeated: [PostedBody] { responses + arrivals }
}

/// The bulk traffic of one round. Each part goes to its own devices, so that writes that happen once a day
/// per token have the same weight in all parts.
struct BulkRound: Sendable {
    /// For the comparison of server, writer and statements.
    let compared: BulkTraffic
    /// For the statements on several connections.
    let concurrent: BulkTraffic
    /// For the statements one by one.
    let timed: BulkTraffic
    /// For the comparison of responses that change no token with responses that each retire one.
    let accepted: [PostedBody]
    let dead: [PostedBody]
}

extension Array {
    /// The elements in order, in `count` parts of the same size.
    func parts(_ count: Int) -> [ArraySlice<Element>] {
        (0..<count).map { self[$0 * self.count / count..<($0 + 1) * self.count / count] }
    }
}
