import DeliveryModel

@testable import Reports

/// Reports compared with the day before, on which less was sent. One campaign did not exist yet, and another
/// one has ended since.
extension HandMadeDay {
    private static func dayBefore(_ frame: ReportFrame) throws -> ReportFrame {
        let window = try ReportWindow(from: start - .days(1), to: start)
        return ReportFrame(
            report: frame.report, query: frame.query.with(window: window), unit: frame.unit, asOf: frame.asOf)
    }

    private static let campaignsBefore: [(name: String?, size: Int64)] = [
        ("winter sale", 9), ("spring sale", 6), (nil, 2),
    ]

    static func comparedCounters<Question>(_ name: String) throws -> CounterReport<Question> {
        let now: CounterReport<Question> = try counterReport(name, by: .campaign)
        let before = try CounterReport<Question>(
            frame: dayBefore(now.frame),
            rows: campaignsBefore.map {
                .init(key: RowKey([.init(.campaign, $0.name)]), counts: counts($0.size))
            }, totals: counts(17), unmatched: 0)
        return try CounterReport(
            frame: now.frame, rows: now.rows, totals: now.totals, unmatched: now.unmatched,
            context: CounterContext(comparison: ReportComparison(now: now.side, before: before.side)))
    }

    static func comparedReach() throws -> ReachReport {
        var now = try reach(by: .campaign)
        let rows = campaignsBefore.map { campaign in
            ReachReport.Row(
                key: RowKey([.init(.campaign, campaign.name)]),
                counts: .init(
                    targeted: 80 * campaign.size, reached: 50 * campaign.size, engaged: 8 * campaign.size,
                    withoutTarget: 0))
        }
        let before = try ReachReport(
            frame: dayBefore(now.frame), rows: rows,
            totals: .init(targeted: 1_200, reached: 750, engaged: 120, withoutTarget: 0), audience: 2_417,
            unmatched: 0)
        now.comparison = ReportComparison(now: now.side, before: before.side)
        return now
    }

    static func comparedLoss() throws -> LossReport {
        let now = try loss()
        let losses: [Loss: Int64] = [
            .recalled: 0, .notReportable: 154, .notCapable: 150, .permissionOff: 30, .superseded: 0,
            .pending: 0, .unexplained: 254,
        ]
        let before = try LossReport(
            frame: dayBefore(now.frame), rows: [], totals: LossCounts(counts: counts(14), losses: losses),
            unmatched: 0)
        return try LossReport(
            frame: now.frame, rows: now.rows, totals: now.totals, unmatched: now.unmatched,
            completeness: now.completeness,
            comparison: ReportComparison(now: now.side, before: before.side))
    }

    /// The day before, no push to one version was rejected.
    static func comparedRejections() throws -> RejectionsReport {
        var now = try rejections()
        let response = now.rows[1].response
        let (gone, busy) = (now.rows[0].key, now.rows[1].key)
        let before = try RejectionsReport(
            frame: dayBefore(now.frame), counted: [(busy, response, 28)],
            attempts: [
                gone: .init(attempted: 414, rejected: 0), busy: .init(attempted: 300, rejected: 28),
            ], totals: counts(7), unmatched: 0)
        now.comparison = now.compared(with: before)
        return now
    }

    /// Arrivals were slower the day before, and its clicks of the second campaign are unknown.
    static func comparedLatency() throws -> LatencyReport {
        func row(_ campaign: String?, _ stages: LatencyReport.Stages) -> LatencyReport.Row {
            .init(key: RowKey([.init(.campaign, campaign)]), stages: stages)
        }
        func sum(_ parts: [LatencyReport.Row]) -> LatencyReport.Stages {
            LatencyReport.Stages(
                arrival: LatencyHistogram(parts.flatMap(\.stages.arrival.entries)),
                click: LatencyHistogram(parts.flatMap(\.stages.click.entries)))
        }
        let rows = [
            row(
                "spring sale",
                .init(
                    arrival: histogram(around: 78, height: 90), click: histogram(around: 118, height: 20))),
            row(
                nil,
                .init(
                    arrival: histogram(around: 98, height: 40), click: histogram(around: 138, height: 10))),
        ]
        let frame = try Self.frame("latency", by: [.campaign])
        var now = try LatencyReport(
            frame: frame, rows: rows, totals: sum(rows), counts: counts(28), unmatched: 36)
        let earlier = [
            row(
                "spring sale",
                .init(
                    arrival: histogram(around: 84, height: 70), click: histogram(around: 117, height: 20)))
        ]
        let before = try LatencyReport(
            frame: dayBefore(frame), rows: earlier, totals: sum(earlier), counts: counts(25), unmatched: 0)
        now.completeness = Completeness(young: 2_744, accepted: 2_744)
        now.comparison = ReportComparison(now: now.side, before: before.side)
        return now
    }

    /// The reach of four weeks, estimated from sketches.
    static func sketchedReach() throws -> ReachReport {
        let query = try ReportQuery(
            app: app, window: ReportWindow(from: start - .days(27), to: start + .days(1)),
            timeZone: ReportTimeZone("Europe/Berlin"), by: [.week])
        let weeks: [(String, Int64)] = [
            ("2026-02-02", 93), ("2026-02-09", 101), ("2026-02-16", 110), ("2026-02-23", 97),
        ]
        var report = try ReachReport(
            frame: ReportFrame(report: "reach", query: query, unit: .installations, asOf: now),
            rows: weeks.map { monday, size in
                ReachReport.Row(
                    key: RowKey([.init(.week, monday)]),
                    counts: .init(
                        targeted: 1_013 * size, reached: 617 * size, engaged: 89 * size, withoutTarget: 40))
            }, totals: .init(targeted: 184_312, reached: 121_877, engaged: 30_411, withoutTarget: 160),
            audience: 201_044, unmatched: 36, audienceAsOf: now - .minutes(40),
            standardError: ReachSketches.standardError)
        report.completeness = Completeness(young: 9_120, accepted: 402_511)
        return report
    }
}
