internal import PostgresClient

/// The time that each statement took when sent alone: shows how the time of a batch is spent.
struct StatementCosts: Sendable {
    /// By the statement's name; the end of the transaction is `COMMIT`.
    private(set) var seconds: [String: Double] = [:]
    /// The events of the batches.
    private(set) var events = 0

    /// - Returns: the duration of this call, in seconds.
    @discardableResult
    mutating func measure(_ statement: PostgresStatement, _ send: () throws -> [PostgresRows]) throws
        -> Double
    {
        let start = ContinuousClock.now
        _ = try send()
        let passed = (ContinuousClock.now - start) / .seconds(1)
        seconds[statement.file.name, default: 0] += passed
        return passed
    }

    mutating func addCommit(seconds passed: Double) {
        seconds["COMMIT", default: 0] += passed
    }

    mutating func add(_ other: StatementCosts, events count: Int) {
        seconds.merge(other.seconds, uniquingKeysWith: +)
        events += count
    }

    /// Microseconds per event.
    func perEvent(_ statement: String) -> Double {
        (seconds[statement] ?? 0) * 1_000_000 / Double(max(1, events))
    }
}

/// The cost of one statement per event of a batch, in microseconds.
struct StatementCost: Sendable, Encodable {
    let statement: String
    let perResponse: Double
    let perArrival: Double

    private enum CodingKeys: String, CodingKey {
        case statement
        case perResponse = "us_per_response"
        case perArrival = "us_per_arrival"
    }

    /// All statements, the most expensive one first.
    static func all(responses: StatementCosts, arrivals: StatementCosts) -> [StatementCost] {
        Set(responses.seconds.keys).union(arrivals.seconds.keys).map { name in
            StatementCost(
                statement: name, perResponse: responses.perEvent(name), perArrival: arrivals.perEvent(name))
        }.sorted { $0.perResponse + $0.perArrival > $1.perResponse + $1.perArrival }
    }
}
