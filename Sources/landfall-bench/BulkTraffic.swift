/// What is posted in bulk over HTTP, handed to the writer, and sent as statements: three times the same.
struct BulkTraffic: Sendable {
    let responses: [PostedBody]
    let arrivals: [PostedBody]

    init(_ notifications: [BenchNotification], settings: BenchSettings) {
        let size = settings.eventsPerBulkRequest
        responses = PostedBody.bulk(notifications.map(\.response), size: size)
        arrivals = PostedBody.bulk(notifications.filter(\.isAccepted).map(\.arrival), size: size)
    }

    /// One part for each round.
    static func rounds(_ notifications: [BenchNotification], settings: BenchSettings) -> [BulkTraffic] {
        notifications.parts(settings.rounds).map { BulkTraffic(Array($0), settings: settings) }
    }

    /// The whole run once more.
    var repeated: [PostedBody] { responses + arrivals }
}

/// What one way of recording the same events in bulk reaches.
struct BulkFigures: Sendable {
    let responses: Figure
    let arrivals: Figure
    /// All of them once more.
    let repeated: Figure
}

extension Array {
    /// So many parts of the same size, in order.
    func parts(_ count: Int) -> [ArraySlice<Element>] {
        (0..<count).map { self[$0 * self.count / count..<($0 + 1) * self.count / count] }
    }
}
