/// The costs of one round.
struct CostRound: Sendable {
    let responses: StatementCosts
    let responseCount: Int
    let arrivals: StatementCosts
    let arrivalCount: Int
}

extension [CostRound] {
    /// The costs of all rounds together.
    var costs: [StatementCost] {
        func sum(_ path: KeyPath<CostRound, StatementCosts>) -> StatementCosts {
            reduce(into: StatementCosts()) { $0.add($1[keyPath: path]) }
        }
        return StatementCost.all(
            responses: sum(\.responses), count: reduce(0) { $0 + $1.responseCount },
            arrivals: sum(\.arrivals), count: reduce(0) { $0 + $1.arrivalCount })
    }
}
