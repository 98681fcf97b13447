/// The statements that the writer sent, batch by batch.
struct RecordedTraffic: Sendable {
    let responses: [RecordedStatements]
    let arrivals: [RecordedStatements]
    /// All events once more.
    let repeated: [RecordedStatements]
}
