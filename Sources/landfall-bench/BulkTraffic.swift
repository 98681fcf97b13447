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
