/// The figures of one stage.
struct StageReport: Sendable, Encodable {
    let stage: Stage
    /// The version of PostgreSQL.
    let postgres: String
    /// The time to register the devices, to load the rows, and to copy the database.
    let preparationSeconds: Double
    let figures: [Figure]
    let ratios: [Ratio]
    let overload: [OverloadFigures]
    let statementCosts: [StatementCost]

    init(_ stage: Stage, postgres: String, preparationSeconds: Double, _ rounds: Rounds) {
        self.stage = stage
        self.postgres = postgres
        self.preparationSeconds = preparationSeconds
        figures = rounds.figures
        ratios = rounds.ratios
        overload = rounds.overload
        statementCosts = rounds.bulk.map(\.costs).costs
    }

    func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }

    func ratio(of name: String, to other: String) -> Double? {
        ratios.first { $0.of == name && $0.to == other }?.value
    }

    /// No-op requests per second of the prototype's server, on the machine where its rates became the goals.
    private static let prototypeNoOp = 56_800.0

    /// The speed of this machine divided by that one's; `nil` if the no-op was not measured.
    var machineShare: Double? {
        guard let noOp = figure("http_no_op")?.perSecond, noOp > 0 else { return nil }
        return noOp / Self.prototypeNoOp
    }

    /// The server's peak memory in any phase, in bytes.
    var serverPeakMemory: Int? {
        (figures.map(\.serverPeakMemory) + overload.map(\.serverPeakMemory)).compactMap(\.self).max()
    }
}
