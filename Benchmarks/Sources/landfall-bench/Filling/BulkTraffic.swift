/// What is posted in bulk over HTTP, handed to the writer, and sent as statements: three times the same.
struct BulkTraffic: Sendable {
    let responses: [PostedBody]
    let arrivals: [PostedBody]

    init(_ notifications: [BenchNotification], settings: BenchSettings) {
        let size = settings.eventsPerBulkRequest
        responses = PostedBody.bulk(notifications.map(\.response), size: size)
        arrivals = PostedBody.bulk(notifications.filter(\.isAccepted).map(\.arrival), size: size)
    }

    /// The whole run once more.
    var repeated: [PostedBody] { responses + arrivals }
}

/// The bulk traffic of one round. Each part goes to devices of its own, so that what is written once a day per token
/// weighs the same in all of them.
struct BulkRound: Sendable {
    /// For the comparison of server, writer and statements.
    let compared: BulkTraffic
    /// For the statements on several connections.
    let concurrent: BulkTraffic
    /// For the statements one by one.
    let timed: BulkTraffic
    /// For the comparison of answers that change nothing with those that retire a token each.
    let accepted: [PostedBody]
    let dead: [PostedBody]
}

/// What one way of recording the same events in bulk reaches.
struct BulkFigures: Sendable {
    let responses: Figure
    let arrivals: Figure
    /// All of them once more.
    let repeated: Figure
}

/// What the server reaches when every push is accepted, and when every token is dead.
struct DeathFigures: Sendable {
    let accepted: Figure
    let dead: Figure
}

/// What the statements reach on several connections.
struct ConcurrentFigures: Sendable {
    let responses: Figure
    let arrivals: Figure
}

extension Array {
    /// So many parts of the same size, in order.
    func parts(_ count: Int) -> [ArraySlice<Element>] {
        (0..<count).map { self[$0 * self.count / count..<($0 + 1) * self.count / count] }
    }
}
