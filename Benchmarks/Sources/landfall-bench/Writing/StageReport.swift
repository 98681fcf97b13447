/// The figures of one stage.
struct StageReport: Sendable, Encodable {
    let name: String
    /// Rows in `delivery`.
    let rows: Int
    /// The version of PostgreSQL.
    let postgres: String
    /// The time to register the devices, to load the rows, and to copy the database.
    let preparationSeconds: Double
    let figures: [Figure]
    let ratios: [Ratio]
    let statementCosts: [StatementCost]

    /// - Parameter rounds: figures in the order in which they were measured; those of several rounds have the
    ///   same name.
    init(
        rows: Int, postgres: String, preparationSeconds: Double, _ rounds: [Figure],
        statementCosts: [StatementCost]
    ) {
        name = rows == 0 ? "cold" : "\(grouped(rows)) rows"
        self.rows = rows
        self.postgres = postgres
        self.preparationSeconds = preparationSeconds
        figures = Figure.combined(rounds)
        ratios = Ratio.measured(in: rounds)
        self.statementCosts = statementCosts
    }

    /// The server's peak memory in any phase, in bytes.
    var serverPeakMemory: Int? { figures.compactMap(\.serverPeakMemory).max() }

    private static let titles = [
        "", "per second", "µs each", "CPU µs", "WAL bytes", "p50 ms", "p99 ms", "MiB",
    ]

    var lines: [String] {
        ["\(name), prepared in \(decimal(preparationSeconds, 0)) s", ""]
            + TextTable(Self.titles, figures.map(cells)).lines + [""]
            + rejections + costs.lines
    }

    private func cells(_ figure: Figure) -> [String] {
        [
            figure.what,
            "\(grouped(Int(figure.perSecond.rounded()))) \(figure.unit.rawValue)",
            figure.unit == .events ? decimal(1_000_000 / figure.perSecond, 1) : "",
            figure.processorMicroseconds.map { decimal($0, 1) } ?? "",
            figure.logBytes.map { decimal($0, 0) } ?? "",
            figure.p50Milliseconds.map { decimal($0, 1) } ?? "",
            figure.p99Milliseconds.map { decimal($0, 1) } ?? "",
            figure.serverPeakMemory.map(mebibytes) ?? "",
        ]
    }

    private var rejections: [String] {
        figures.flatMap { figure in
            figure.requests.map { requests in
                [
                    "\(figure.what): of \(grouped(requests.all)) requests, \(grouped(requests.rejected)) were rejected and "
                        + "\(grouped(requests.broken)) broke.", "",
                ]
            } ?? []
        }
    }

    /// Statements that cost less than a twentieth of a microsecond are left out.
    private var costs: TextTable {
        let worthy = statementCosts.filter { max($0.perResponse, $0.perArrival) >= 0.05 }
        return TextTable(
            ["statements one by one", "µs per response", "µs per arrival"],
            worthy.map { [$0.statement, decimal($0.perResponse, 2), decimal($0.perArrival, 2)] })
    }
}
