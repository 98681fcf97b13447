internal import PostgresClient
internal import SQLFiles

/// The time each statement took when sent alone: shows how the time of a batch is spent.
struct StatementCosts: Sendable {
    /// By the statement's name; the end of the transaction is `COMMIT`.
    private(set) var seconds: [String: Double] = [:]

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

    mutating func add(_ other: StatementCosts) {
        seconds.merge(other.seconds, uniquingKeysWith: +)
    }
}
