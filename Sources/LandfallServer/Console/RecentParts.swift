internal import Access
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// Parts of pages that take seconds with millions of tokens or notifications, shared by everyone who looks.
struct RecentParts: Sendable {
    private let desk: ReportDesk
    private let cards = Recent<[AppCard]>(capacity: 100)
    private let examinations = Recent<DoctorReport>(capacity: 100)
    private let tokens = Recent<TokenHealth>(capacity: 100)
    private let sweeps = Recent<SweepReport>(capacity: 100)

    init(desk: ReportDesk) { self.desk = desk }

    /// One for each app.
    func cards(of apps: [App], now: Instant) async throws -> Recent<[AppCard]>.Answer {
        try await cards.answer(apps.map { "\($0.appID)" }.joined(separator: " ")) { [desk] in
            try await desk.read { connection in
                try apps.map { app in
                    let muted = try FindingMutes.list(of: app, now: now, on: connection)
                    let open = try FindingEpisodes.list(of: app, since: now, on: connection)
                    return AppCard(
                        today: try AppToday.run(for: app, in: .utc, on: connection, now: now),
                        week: try AppWeek.run(for: app, in: .utc, on: connection, now: now),
                        findings: open.filter { episode in
                            episode.resolvedAt == nil
                                && !muted.contains { $0.finding.rawValue == episode.finding }
                        })
                }
            }
        }
    }

    /// The doctor's findings: of the database as a whole only for people who may see all apps.
    func examination(of app: App, for visit: Visit) async throws -> Recent<DoctorReport>.Answer {
        let answer = try await examinations.answer("\(app.appID)") { [desk] in
            try await desk.read { connection in
                try DoctorReport.run(for: [app], examinesServer: false, on: connection, now: visit.now)
            }
        }
        return answer.map { visit.person.grants.everywhere == nil ? $0.ofApps : $0 }
    }

    /// The findings about all apps and the database.
    func examination(of apps: [App], now: Instant) async throws -> Recent<DoctorReport>.Answer {
        let question = apps.map { "\($0.appID)" }.joined(separator: " ")
        return try await examinations.answer("all \(question)") { [desk] in
            try await desk.read { try DoctorReport.run(for: apps, on: $0, now: now) }
        }
    }

    func tokenHealth(of app: App, now: Instant) async throws -> Recent<TokenHealth>.Answer {
        try await tokens.answer("\(app.appID)") { [desk] in
            try await desk.read { try TokenHealth.run(for: app, on: $0, now: now) }
        }
    }

    func sweepPlan(of app: App) async throws -> Recent<SweepReport>.Answer {
        try await sweeps.answer("\(app.appID)") { [desk] in
            try await desk.read { connection in
                // PostgreSQL's clock is used, because a wrong clock here would make every token look silent.
                let now = try connection.clock()
                let sweep = Sweep(appID: app.appID, on: connection)
                let rules = try sweep.rules()
                let past = try PastSweeps(appID: app.appID, now: now, on: connection)
                var report = SweepReport(app: app, rules: rules, past: past, asOf: now)
                report.plan = try sweep.plan(rules, now: now)
                return report
            }
        }
    }
}

extension DoctorReport {
    /// Without what is about the database as a whole.
    fileprivate var ofApps: DoctorReport {
        DoctorReport(asOf: asOf, hours: hours, patients: patients.filter { $0.app != nil })
    }
}
