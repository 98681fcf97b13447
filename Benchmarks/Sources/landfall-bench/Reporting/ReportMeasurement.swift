internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Runs reports on one connection, each several times, and measures how long they take.
struct ReportMeasurement {
    let connection: PostgresConnection
    let app: App
    let from: Instant
    let to: Instant
    let now: Instant
    let repetitions: Int

    /// The time of a plain count of the window's rows, in milliseconds: the cost of a report without
    /// counters.
    func plainCount() throws -> Double {
        let bounds: [PostgresParameter] = [.value(app.appID), .value(from), .value(to)]
        return try milliseconds { try connection.query(.Bench.countRows, bounds) }
    }

    /// Measures one report. A report that must be estimated but is not has no figure.
    func measure(_ report: MeasuredReport) throws -> ReportsStage.Measured {
        let zone = try report.timeZone.map { try ReportTimeZone($0) } ?? .utc
        let query = try ReportQuery(
            app: app, window: try ReportWindow(from: from, to: to), timeZone: zone, by: report.by)
        var isEstimate = false
        let time = try milliseconds(once: report.isAskedOnce) {
            let response = try report.ask(query, connection, now)
            isEstimate = (response as? ReachReport)?.standardError != nil
        }
        let isMeant = isEstimate == report.isEstimated
        return ReportsStage.Measured(
            title: report.title, goal: report.goal, milliseconds: isMeant ? time : nil)
    }

    /// The median, after one run that is not timed: caches are warm, as they are for real readers of reports.
    private func milliseconds(once: Bool = false, _ body: () throws -> Void) throws -> Double {
        if !once { try body() }
        var times: [Double] = []
        for _ in 0..<(once ? 1 : repetitions) {
            let start = ContinuousClock.now
            try body()
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times.median ?? 0
    }
}
