internal import DeliveryModel
internal import PostgresClient
internal import Reports
internal import Simulation

/// The reports compared with the truth, number by number.
///
/// The truth is the simulated reality itself, so a difference is an error in the reports or in what was
/// recorded, or the app contains more than this traffic.
struct TruthCheck: Equatable, Sendable {
    struct Comparison: Equatable, Sendable {
        /// The subject: a campaign, an hour, tokens.
        let place: String
        let measure: String
        let really: Int64
        let reported: Int64

        var differs: Bool { really != reported }
    }

    struct Group: Equatable, Sendable {
        let name: String
        let comparisons: [Comparison]

        var differences: [Comparison] { comparisons.filter(\.differs) }
    }

    let groups: [Group]

    var comparisonCount: Int { groups.reduce(0) { $0 + $1.comparisons.count } }
    var differenceCount: Int { groups.reduce(0) { $0 + $1.differences.count } }

    /// - Parameter opensBreaker: whether the traffic makes a breaker hold tokens. Then their states and the
    ///   audience are not compared.
    init(_ truth: SimulatedTruth, _ reported: ReportedFigures, opensBreaker: Bool = false) {
        let byCampaign = truth.campaigns.map { ($0.key ?? "", MeasureCounts($0.counts)) }
        let byHour = truth.hours.map {
            (ReportTimeZone.utc.rfc3339(Instant(millisecondsSinceEpoch: $0.start)), MeasureCounts($0.counts))
        }
        let groups: [(String, [Comparison])] = [
            ("totals", Self.totals(truth, reported)),
            ("by campaign", Self.rows(byCampaign, reported.campaigns, MeasureCounts.comparable)),
            ("by hour", Self.rows(byHour, reported.hours, MeasureCounts.comparable)),
            ("clicks", Self.rows(byCampaign, reported.clicks, Clicks.shown)),
            ("reach", Self.reach(truth, reported)), ("tokens", Self.tokens(truth, reported)),
        ]
        self.groups = groups.map { name, comparisons in
            let compared = comparisons.filter { !opensBreaker || !Self.isBreakerDecided($0.measure) }
            return Group(name: name, comparisons: compared)
        }
    }

    private static func isBreakerDecided(_ measure: String) -> Bool {
        ["active", "suspect", "retired", "audience"].contains(measure)
    }

    private static func totals(_ truth: SimulatedTruth, _ reported: ReportedFigures) -> [Comparison] {
        let unmatched = Comparison(
            place: "all", measure: "unmatched", really: Int64(truth.unmatched), reported: reported.unmatched)
        return counts("all", MeasureCounts(truth.totals), reported.totals, MeasureCounts.comparable)
            + [unmatched]
    }

    /// Compares rows by key. A row that one side lacks counts as zeros there, so an extra row differs, too.
    private static func rows(
        _ really: [(String, MeasureCounts)], _ reported: [String: MeasureCounts], _ measures: [Measure]
    ) -> [Comparison] {
        let known = Set(really.map(\.0))
        let unknown = reported.keys.filter { !known.contains($0) }.sorted()
        return (really + unknown.map { ($0, MeasureCounts()) }).flatMap { key, counts in
            Self.counts(key.isEmpty ? "(none)" : key, counts, reported[key] ?? MeasureCounts(), measures)
        }
    }

    private static func counts(
        _ place: String, _ really: MeasureCounts, _ reported: MeasureCounts, _ measures: [Measure]
    ) -> [Comparison] {
        measures.map {
            Comparison(place: place, measure: $0.rawValue, really: really[$0], reported: reported[$0])
        }
    }

    private static func reach(_ truth: SimulatedTruth, _ reported: ReportedFigures) -> [Comparison] {
        let installations = truth.installations
        return comparisons(
            "installations",
            [
                ("audience", truth.audience, reported.audiences.reach),
                ("targeted", installations.targeted, reported.targeted),
                ("reached", installations.reached, reported.reached),
                ("engaged", installations.engaged, reported.engaged),
                ("without_target", 0, reported.withoutTarget),
            ])
    }

    private static func tokens(_ truth: SimulatedTruth, _ reported: ReportedFigures) -> [Comparison] {
        let total = truth.tokens.total
        return comparisons(
            "tokens",
            [
                ("active", total.active, reported.tokens["active"] ?? 0),
                ("suspect", total.suspect, reported.tokens["suspect"] ?? 0),
                ("stale", 0, reported.tokens["stale"] ?? 0),
                ("retired", total.retired, reported.tokens["retired"] ?? 0),
                ("installations", truth.installations.registered, reported.installations),
                ("audience", truth.audience, reported.audiences.tokens),
            ])
    }

    private static func comparisons(_ place: String, _ numbers: [(String, Int, Int64)]) -> [Comparison] {
        numbers.map { Comparison(place: place, measure: $0.0, really: Int64($0.1), reported: $0.2) }
    }
}

extension SimulatedTruth {
    /// The expected audience. A token that no installation registered counts as one, because the sender knows
    /// it and pushes to it. The simulation counts these tokens separately.
    fileprivate var audience: Int { installations.audience + tokens.unregistered.active }
}

extension MeasureCounts {
    /// The measures that the simulation knows and the funnel report shows.
    fileprivate static let comparable: [Measure] =
        [.attempted, .accepted] + RejectionClass.allCases.map(Measure.rejected) + [
            .reportable, .arrived, .confirmed, .presented, .clicked, .dismissed, .confirmedUnreported,
            .contradicted,
        ]

    init(_ really: SimulatedCounts) {
        self.init()
        let counts: [(Measure, Int)] = [
            (.attempted, really.attempted), (.accepted, really.accepted), (.reportable, really.reportable),
            (.arrived, really.arrived), (.confirmed, really.confirmed), (.presented, really.presented),
            (.clicked, really.clicked), (.dismissed, really.dismissed),
            (.confirmedUnreported, really.confirmedUnreported), (.contradicted, really.contradicted),
        ]
        for (measure, count) in counts { self[measure] = Int64(count) }
        for rejectionClass in RejectionClass.allCases {
            let simulated = SimulatedRejectionClass(rawValue: rejectionClass.rawValue)
            self[.rejected(rejectionClass)] = Int64(simulated.flatMap { really.rejected[$0] } ?? 0)
        }
    }
}

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
