/// What the writer sent, batch by batch.
struct RecordedTraffic: Sendable {
    let responses: [RecordedStatements]
    let arrivals: [RecordedStatements]
    /// All of them once more.
    let repeated: [RecordedStatements]
}
