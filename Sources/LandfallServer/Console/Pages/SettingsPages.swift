internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Ingestion
internal import Instants
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// What was done, and how the server is: for admins of all apps.
struct SettingsPages: Sendable {
    /// The pages that the person may see.
    static func links(for visit: Visit) -> [(path: String, title: String)] {
        let all = [
            ("/settings/people", "People"), ("/settings/keys", "Keys"), ("/settings/health", "Health"),
            ("/settings/retention", "Retention"), ("/settings/audit", "Audit"),
        ]
        guard visit.person.grants.everywhere != .admin else { return all }
        return visit.administersApps ? [("/settings/keys", "Keys")] : []
    }

    let pool: PostgresPool
    let desk: ReportDesk
    let parts: RecentParts

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/health", as: .admin) { try await health($0) }
        console.page("settings/retention", as: .admin) { try await retention($0) }
        console.page("settings/audit", as: .admin) { try await audit($0) }
    }

    /// The doctor's findings about all apps and the database.
    private func health(_ visit: Visit) async throws -> ConsolePage {
        let report = try await parts.examination(of: visit.apps, now: visit.now)
        let content = report.value.map { $0.htmlPage.content() } ?? ConsolePage.waiting("Health")
        return ConsolePage("Health", counting: report.counting, [content])
    }

    private func retention(_ visit: Visit) async throws -> ConsolePage {
        let content = try await desk.read { try RetentionPage.read(on: $0).htmlPage.content() }
        return ConsolePage("Retention", [content])
    }

    private func audit(_ visit: Visit) async throws -> ConsolePage {
        let before = try visit.parameters.one("before").flatMap { Int64($0) }
        let entries = try await pool.withConnection(attempts: 2) {
            try Audit.list(before: before, limit: 100, on: $0)
        }
        let rows = entries.map { entry -> Markup in
            .row([
                Markup(LocalTime(entry.at, utcOffsetMinutes: 0).toTheMinuteWithOffset), .name(entry.name),
                Markup(entry.act.replacing("_", with: " ")), .name(entry.app ?? ""), .name(entry.subject),
                Markup(entry.address),
            ])
        }
        let older = entries.count == 100 ? entries.last.map { "/settings/audit?before=\($0.id)" } : nil
        return ConsolePage(
            "Audit",
            [
                .element("h1", [:], "Audit"),
                .element(
                    "p", ["class": "caption"],
                    "What people did here and on the command line, newest first; kept for 400 days."),
                .table(["When", "Who", "Act", "App", "About", "From"], rows),
            ] + (older.map { [.element("p", [:], [.link(to: $0, Markup("Older"))])] } ?? []))
    }
}

extension Visit {
    /// Records what the person does, in the transaction that does it.
    func record(
        _ act: String, _ subject: String, in app: App? = nil, on connection: PostgresConnection
    ) throws {
        try Audit.record(
            person, act: act, app: app ?? self.app, subject: subject, address: address.text,
            on: connection)
    }
}
