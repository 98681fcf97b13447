import DeliveryModel

@testable import Rendering
@testable import Reports
@testable import TokenLifecycle

/// A Sunday in Berlin with hand-made numbers, and names that would break a page or a table that trusts them.
enum HandMadeDay {
    static let app = App(appID: 1, slug: "shop")
    /// 2026-03-01T00:00:00+01:00
    static let start = Instant(millisecondsSinceEpoch: 1_772_319_600_000)
    static let now = start + .hours(20) + .minutes(17)

    static let campaigns: [(name: String?, size: Int64)] = [
        ("spring sale", 12), ("夏のセール 🎉", 7), (#"<script>alert("1")</script> & 'more'"#, 5), (nil, 3),
        ("=SUM(A1:A9)", 1),
    ]

    static func frame(
        _ report: String, by dimensions: [Dimension], unit: ReportFrame.Unit = .notifications,
        filters: [ReportFilter] = []
    ) throws -> ReportFrame {
        let query = try ReportQuery(
            app: app, window: ReportWindow(from: start, to: start + .days(1)),
            timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions, filters: filters)
        return ReportFrame(report: report, query: query, unit: unit, asOf: now)
    }

    /// The counts of a campaign of a given size.
    static func counts(_ size: Int64) -> MeasureCounts {
        var counts = MeasureCounts()
        let states: [(DeliveryState, Int64)] = [
            ([.attempted, .accepted, .canReport, .arrived], 43 * size),
            ([.attempted, .accepted, .canReport, .arrived, .clicked], 9 * size),
            ([.attempted, .accepted, .canReport, .clicked], 2 * size),
            ([.attempted, .accepted, .canReport, .arrived, .dismissed], size),
            ([.attempted, .accepted, .presented], size),
            ([.attempted, .accepted, .canReport], 31 * size), ([.attempted, .accepted], 11 * size),
            ([.attempted, .rejected(.tokenDead)], 3 * size), ([.attempted, .rejected(.throttled)], size),
        ]
        for (state, count) in states { counts.add(count, in: state) }
        return counts
    }

    static func rows(by dimension: Dimension) -> [CountedRow] {
        guard dimension == .hour else {
            return campaigns.map { .init(key: RowKey([.init(.campaign, $0.name)]), counts: counts($0.size)) }
        }
        return [(8, 2), (9, 5), (10, 4), (12, 1), (17, 3), (18, 7), (19, 4), (20, 2)].map { hour, size in
            let clock = hour < 10 ? "0\(hour)" : "\(hour)"
            return .init(
                key: RowKey([.init(.hour, "2026-03-01T\(clock):00:00+01:00")]), counts: counts(Int64(size)))
        }
    }

    static func counterReport<Question>(
        _ name: String, by dimension: Dimension?
    ) throws -> CounterReport<Question> {
        let rows = dimension.map(rows) ?? []
        let totals = counts(28)
        return try CounterReport(
            frame: frame(name, by: [dimension].compactMap(\.self)), rows: rows, totals: totals,
            unmatched: UnmatchedCounts(unmatched: 36, local: 5))
    }

    static func funnel(by dimension: Dimension?) throws -> FunnelReport {
        try counterReport("funnel", by: dimension)
    }

    static func clicks(by dimension: Dimension?) throws -> ClicksReport {
        try counterReport("clicks", by: dimension)
    }

    /// The clicks of ``clicks(by:)``.
    static func clicksByAction() throws -> ClickKindsReport {
        func row(_ action: String?, _ clicks: ClickKinds) -> ClickKindsReport.Row {
            .init(key: RowKey([.init(.action, action)]), clicks: clicks)
        }
        let clicked = counts(28)[.clicked]
        return try ClickKindsReport(
            frame: frame("clicks", by: [.action]),
            rows: [
                row(nil, ClickKinds(clicked: clicked - 58, opened: clicked - 58)),
                row("track_parcel", ClickKinds(clicked: 37, opened: 37)),
                row("reply", ClickKinds(clicked: 21, withText: 14)),
            ], clicked: clicked, unmatched: UnmatchedCounts(unmatched: 36, local: 5))
    }

    /// The campaigns overlap: the totals are not their sum.
    static func reach(by dimension: Dimension?) throws -> ReachReport {
        let rows = campaigns.map { campaign in
            ReachReport.Row(
                key: RowKey([.init(.campaign, campaign.name)]),
                counts: .init(
                    targeted: 90 * campaign.size, reached: 52 * campaign.size, engaged: 10 * campaign.size,
                    withoutTarget: campaign.size))
        }
        return try ReachReport(
            frame: frame("reach", by: [dimension].compactMap(\.self), unit: .installations),
            rows: dimension == nil ? [] : rows,
            totals: .init(targeted: 1_900, reached: 1_204, engaged: 211, withoutTarget: 28), audience: 2_417,
            unmatched: 36, audienceReached: 1_176)
    }

    static let tokens = TokenStatusReport(
        app: app, asOf: now,
        rows: [
            .init(state: "active", kind: "alert", environment: "production", tokens: 2_512),
            .init(state: "active", kind: "alert", environment: "sandbox", tokens: 14),
            .init(state: "suspect", kind: "alert", environment: "production", tokens: 41),
            .init(state: "retired", kind: "alert", environment: "production", tokens: 388),
        ], installations: 2_633, erasedInstallations: 2, audience: 2_417, installationStates: nil,
        settings: nil)

    static func waterfall() throws -> TokenWaterfall {
        let window = try WaterfallWindow(
            from: "3d", to: nil, by: .day, timeZone: ReportTimeZone("Europe/Berlin"), asOf: now)
        let moves: [[TokenMove: Int64]] = [
            [.init(from: nil, to: .active, rule: "registered"): 31],
            [
                .init(from: nil, to: .active, rule: "registered"): 44,
                .init(from: .active, to: .retired, rule: "unregistered"): 12,
            ],
            [
                .init(from: .stale, to: .active, rule: "sign_of_life"): 6,
                .init(from: .active, to: .stale, rule: "stale"): 80,
                .init(from: .active, to: .retired, rule: "unregistered"): 7,
            ],
        ]
        return try TokenWaterfall(
            app: app, unit: .installations, window: window,
            start: StateCounts([.active: 2_435, .stale: 60, .retired: 369]), moves: moves,
            end: StateCounts([.active: 2_417, .stale: 134, .retired: 388]),
            failures: RegistrationFailures(byPeriod: [1: 2, 2: 5], total: 6))
    }

    /// The day as `landfall` and `landfall watch` show it.
    static func today() throws -> AppToday {
        let windows = try AppToday.Windows(now, in: ReportTimeZone("Europe/Berlin"))
        func frame(_ window: ReportWindow, by dimensions: [Dimension]) throws -> ReportFrame {
            let query = try ReportQuery(
                app: app, window: window, timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions)
            return ReportFrame(report: "funnel", query: query, unit: .notifications, asOf: now)
        }
        let quarters = (0..<96).map { position -> QuarterCounts in
            let size = Int64(position % 24 < 6 ? 0 : (position * 7) % 13)
            return QuarterCounts(
                quarter: windows.day.from + .minutes(Int64(position) * 15), attempted: 40 * size,
                accepted: 37 * size, confirmed: 20 * size, clicked: (size / 2) * 3)
        }
        return AppToday(
            today: try FunnelReport(
                frame: frame(windows.today, by: [.campaign]), rows: rows(by: .campaign), totals: counts(28),
                unmatched: 36),
            yesterday: try FunnelReport(
                frame: frame(windows.yesterday, by: []), rows: [], totals: counts(25), unmatched: 0),
            quarters: quarters,
            received: ReceivedItems(received: 9_812, accepted: 9_420, duplicates: 371, rejected: 21),
            lastQuarter: windows.today.to - .minutes(15))
    }

    static func todayPage() throws -> TodayPage {
        let day = try today()
        return TodayPage(
            asOf: now, timeZone: day.timeZone, days: [day], health: health,
            steps: NextStep.after(day, health, namesApp: true))
    }

    static let health = TokenHealth(
        asOf: now - .seconds(12), states: StateCounts([.active: 2_526, .suspect: 41, .retired: 388]),
        audience: 2_417,
        breakers: [
            .init(
                environment: "production", topic: "com.example.shop", openedAt: now - .minutes(42),
                heldTokens: 1_204)
        ])
}
