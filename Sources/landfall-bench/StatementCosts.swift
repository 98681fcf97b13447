internal import PostgresClient
internal import SQLFiles

/// How long each statement took when each was sent alone. Says where the time of a batch goes.
struct StatementCosts: Sendable {
    /// By the statement's name, the end of the transaction under `COMMIT`.
    private(set) var seconds: [String: Double] = [:]

    /// - Returns: the seconds of this call.
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

/// What one statement costs per event of a batch, in microseconds.
struct StatementCost: Sendable, Encodable {
    let statement: String
    let perResponse: Double
    let perArrival: Double

    private enum CodingKeys: String, CodingKey {
        case statement
        case perResponse = "us_per_response"
        case perArrival = "us_per_arrival"
    }

    /// The most expensive one first.
    static func all(
        responses: StatementCosts, count responseCount: Int, arrivals: StatementCosts, count arrivalCount: Int
    ) -> [StatementCost] {
        let names = Set(responses.seconds.keys).union(arrivals.seconds.keys)
        return names.map { name in
            StatementCost(
                statement: name,
                perResponse: (responses.seconds[name] ?? 0) * 1_000_000 / Double(max(1, responseCount)),
                perArrival: (arrivals.seconds[name] ?? 0) * 1_000_000 / Double(max(1, arrivalCount)))
        }.sorted { $0.perResponse + $0.perArrival > $1.perResponse + $1.perArrival }
    }
}

/// The costs of one round.
struct CostRound: Sendable {
    let responses: StatementCosts
    let responseCount: Int
    let arrivals: StatementCosts
    let arrivalCount: Int
}

extension [CostRound] {
    /// Of all rounds together.
    var costs: [StatementCost] {
        func sum(_ path: KeyPath<CostRound, StatementCosts>) -> StatementCosts {
            reduce(into: StatementCosts()) { $0.add($1[keyPath: path]) }
        }
        return StatementCost.all(
            responses: sum(\.responses), count: reduce(0) { $0 + $1.responseCount },
            arrivals: sum(\.arrivals), count: reduce(0) { $0 + $1.arrivalCount })
    }
}
