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
