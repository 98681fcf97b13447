internal import PostgresClient
internal import SQLFiles

/// The successive batches of a sweep, with pauses for other sessions between them.
struct SweepBatches {
    private let connection: PostgresConnection
    private let rest: (Duration) -> Void
    private var pace = SweepPace()
    private var work = Duration.zero

    init(on connection: PostgresConnection, rest: @escaping (Duration) -> Void) {
        self.connection = connection
        self.rest = rest
    }

    /// Runs one batch, and tries again if it conflicts with a transaction of ingestion.
    ///
    /// - Parameter batch: receives the most tokens it may change.
    mutating func run<Value>(_ batch: (_ size: Int64) throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        defer { work = start.duration(to: .now) }
        return try connection.retrying { try batch(pace.batchSize) }
    }

    /// After a batch that found something to do: pauses while other sessions of the database are active.
    mutating func makeRoom() throws {
        let othersWork: Bool = try connection.query(.Tokens.othersAtWork).single().get("others_work")
        let pause = pace.rest(after: work, othersWork: othersWork)
        if pause > .zero { rest(pause) }
    }
}
