internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import Reports
internal import SQLFiles

/// Asks reports on one connection, each several times, and takes the time.
struct ReportMeasurement {
    let connection: PostgresConnection
    let app: App
    let from: Instant
    let to: Instant
    let now: Instant
    let repetitions: Int

    /// Milliseconds of a plain count of the window's rows: what there would be without counters.
    func plainCount() throws -> Double {
        let bounds: [PostgresParameter] = [.value(app.appID), .value(from), .value(to)]
        return try milliseconds { try connection.query(.Bench.countRows, bounds) }
    }

    /// A report that has to be estimated and is not has no figure.
    func measure(_ report: MeasuredReport) throws -> ReportsStage.Measured {
        let zone = try report.timeZone.map { try ReportTimeZone($0) } ?? .utc
        let query = try ReportQuery(
            app: app, window: try ReportWindow(from: from, to: to), timeZone: zone, by: report.by)
        var isEstimate = false
        let time = try milliseconds(once: report.isAskedOnce) {
            let answer = try report.ask(query, connection, now)
            isEstimate = (answer as? ReachReport)?.standardError != nil
        }
        let isMeant = isEstimate == report.isEstimated
        return ReportsStage.Measured(
            title: report.title, goal: report.goal, milliseconds: isMeant ? time : nil)
    }

    /// The median, behind one run that nobody times: caches are warm, as they are where people look at reports.
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
