internal import Access
internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import Reports
internal import Simulation

/// The reports' numbers for one app and one window that can be compared with the truth.
struct ReportedFigures {
    var totals = MeasureCounts()
    var unmatched: Int64 = 0
    /// The campaigns by name; the empty name means "without a campaign".
    var campaigns: [String: MeasureCounts] = [:]
    /// The clicks by campaign, from the click report.
    var clicks: [String: MeasureCounts] = [:]
    /// The hours of sending, in UTC, as reports write them.
    var hours: [String: MeasureCounts] = [:]
    var targeted: Int64 = 0
    var reached: Int64 = 0
    var engaged: Int64 = 0
    var withoutTarget: Int64 = 0
    /// From the reach report and from the token report.
    var audiences: (reach: Int64, tokens: Int64) = (0, 0)
    var installations: Int64 = 0
    /// The tokens by state.
    var tokens: [String: Int64] = [:]

    init() {}

    /// Runs the reports.
    ///
    /// - Throws: `ReportError`, `PostgresError`.
    init(of app: App, in window: ReportWindow, on connection: PostgresConnection, now: Instant) throws {
        let whole = try ReportQuery(app: app, window: window, timeZone: .utc)
        let byCampaign = try ReportQuery(app: app, window: window, timeZone: .utc, by: [.campaign])
        let byHour = try ReportQuery(app: app, window: window, timeZone: .utc, by: [.hour])
        let funnel = try FunnelReport.run(whole, on: connection, now: now)
        let reach = try ReachReport.run(whole, on: connection, now: now)
        let status = try TokenStatusReport.run(for: app, on: connection, now: now)
        totals = funnel.totals
        unmatched = funnel.unmatched.unmatched
        campaigns = Self.byKey(try FunnelReport.run(byCampaign, on: connection, now: now).rows)
        hours = Self.byKey(try FunnelReport.run(byHour, on: connection, now: now).rows)
        clicks = Self.byKey(try ClicksReport.run(byCampaign, on: connection, now: now).rows)
        targeted = reach.totals.targeted
        reached = reach.totals.reached
        engaged = reach.totals.engaged
        withoutTarget = reach.totals.withoutTarget
        audiences = (reach.audience, status.audience ?? 0)
        installations = status.installations
        for row in status.rows { tokens[row.state, default: 0] += row.tokens }
    }

    /// The counts of rows with one dimension, by their key.
    private static func byKey(_ rows: [CountedRow]) -> [String: MeasureCounts] {
        Dictionary(rows.map { ($0.key.parts.first?.value ?? "", $0.counts) }) { first, _ in first }
    }
}

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
