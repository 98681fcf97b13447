internal import PostgresClient

/// The number of events that changed something in a database, and the number in quarantine.
struct RecordedEvents {
    let accepted: Int
    let rejected: Int

    private init(accepted: Int, rejected: Int) {
        self.accepted = accepted
        self.rejected = rejected
    }

    init(on connection: PostgresConnection) throws {
        let row = try connection.query(.Bench.countRecorded).single()
        accepted = Int(try row.get("accepted_count", as: Int64.self))
        rejected = Int(try row.get("rejected_count", as: Int64.self))
    }

    static func - (later: RecordedEvents, earlier: RecordedEvents) -> RecordedEvents {
        RecordedEvents(
            accepted: later.accepted - earlier.accepted, rejected: later.rejected - earlier.rejected)
    }
}
