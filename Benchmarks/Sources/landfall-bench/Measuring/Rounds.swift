/// The measurements, round by round.
struct Rounds: Sendable {
    /// The same events, recorded three ways.
    struct Bulk: Sendable {
        let server: BulkFigures
        let deaths: DeathFigures
        let reading: Figure
        let writer: BulkFigures
        let statements: BulkFigures
        let concurrentStatements: ConcurrentFigures
        let costs: CostRound
        let receipts: Figure

        /// The server's first run, responses and arrivals together.
        var firstRun: Figure {
            Figure(
                "http_bulk_responses+http_bulk_arrivals", "",
                count: server.responses.count + server.arrivals.count,
                seconds: server.responses.seconds + server.arrivals.seconds)
        }
    }

    typealias Single = ServerMeasurement.SingleFigures

    var bulk: [Bulk] = []
    var single: [Single] = []
    var overload: [OverloadFigures] = []

    /// In the order of the printed table.
    var figures: [Figure] {
        let single = [\Single.noOp, \.responses, \.arrivals].map { path in
            Figure(rounds: self.single.map { $0[keyPath: path] })
        }
        let bulk = [
            \Bulk.server.responses, \.server.arrivals, \.server.repeated, \.deaths.accepted, \.deaths.dead,
            \.reading, \.writer.responses,
            \.writer.arrivals, \.writer.repeated, \.statements.responses, \.statements.arrivals,
            \.statements.repeated, \.concurrentStatements.responses, \.concurrentStatements.arrivals,
            \.receipts,
        ].map { path in Figure(rounds: self.bulk.map { $0[keyPath: path] }) }
        return single + bulk
    }

    var ratios: [Ratio] {
        [
            ratio(single, \.responses, \.noOp, "no-op"),
            ratio(single, \.arrivals, \.noOp, "no-op"),
            ratio(bulk, \.server.responses, \.statements.responses, "SQL"),
            ratio(bulk, \.server.arrivals, \.statements.arrivals, "SQL"),
            ratio(bulk, \.server.repeated, \.firstRun, "first run"),
            ratio(bulk, \.deaths.dead, \.deaths.accepted, "all 200"),
            ratio(bulk, \.server.responses, \.concurrentStatements.responses, "concurrent SQL"),
            ratio(bulk, \.server.arrivals, \.concurrentStatements.arrivals, "concurrent SQL"),
            ratio(bulk, \.writer.responses, \.statements.responses, "SQL"),
            ratio(bulk, \.writer.arrivals, \.statements.arrivals, "SQL"),
            ratio(bulk, \.writer.repeated, \.statements.repeated, "SQL"),
        ].compactMap(\.self)
    }

    private func ratio<Round>(
        _ rounds: [Round], _ figure: (Round) -> Figure, _ other: (Round) -> Figure, _ toWhat: String
    ) -> Ratio? {
        let values = rounds.map { figure($0).perSecond / other($0).perSecond }
        guard let first = rounds.first, let median = values.median else { return nil }
        return Ratio(of: figure(first).name, to: other(first).name, toWhat: toWhat, value: median)
    }
}
