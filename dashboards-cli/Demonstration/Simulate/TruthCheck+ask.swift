internal import Access
internal import Instants
internal import PostgresClient
internal import Reports
internal import Simulation

extension TruthCheck {
    /// Runs every report for exactly the window of the traffic.
    ///
    /// - Throws: `ReportError`, `PostgresError`.
    static func run(
        _ truth: SimulatedTruth, of app: App, on connection: PostgresConnection, now: Instant,
        opensBreaker: Bool = false
    ) throws -> TruthCheck {
        TruthCheck(
            truth, try ReportedFigures(of: app, in: ReportWindow(of: truth), on: connection, now: now),
            opensBreaker: opensBreaker)
    }
}

extension ReportWindow {
    /// The window in which the traffic's notifications were sent.
    init(of truth: SimulatedTruth) throws(ReportError) {
        try self.init(
            from: Instant(millisecondsSinceEpoch: truth.windowStart),
            to: Instant(millisecondsSinceEpoch: truth.windowEnd))
    }
}
