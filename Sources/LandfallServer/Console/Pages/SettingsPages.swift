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
    static let links = [
        ("/settings/people", "People"), ("/settings/keys", "Keys"), ("/settings/health", "Health"),
        ("/settings/audit", "Audit"),
    ]

    let pool: PostgresPool
    let desk: ReportDesk

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/health", as: .admin) { try await health($0) }
        console.page("settings/audit", as: .admin) { try await audit($0) }
    }

    /// The doctor's findings about all apps and the database, and how long rows are kept.
    private func health(_ visit: Visit) async throws -> ConsolePage {
        let (content, retention) = try await desk.read { connection in
            let report = try DoctorReport.run(for: visit.apps, on: connection, now: visit.now)
            return (report.htmlPage.content(), try RetentionSetting.read(on: connection))
        }
        let days = (retention ?? .standardRetention).milliseconds / Span.days(1).milliseconds
        let kept = Markup.element(
            "p", ["class": "note"],
            "Notifications are kept for \(days) days, counters permanently. retention.days changes it.")
        return ConsolePage("Health", [content, kept])
    }

    private func audit(_ visit: Visit) async throws -> ConsolePage {
        let before = try visit.parameters.one("before").flatMap { Int64($0) }
        let entries = try await pool.withConnection(attempts: 2) {
            try Audit.list(before: before, limit: 100, on: $0)
        }
        let rows = entries.map { entry -> Markup in
            .element(
                "tr", [:],
                [
                    .element("td", [:], LocalTime(entry.at, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                    .element("td", [:], [.name(entry.name)]),
                    .element("td", [:], entry.act.replacing("_", with: " ")),
                    .element("td", [:], [.name(entry.app ?? "")]),
                    .element("td", [:], [.name(entry.subject)]), .element("td", [:], entry.address),
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
            person, act: act, app: app ?? self.app, subject: subject, address: address.text, at: now,
            on: connection)
    }
}

extension Markup {
    /// A table of what can be acted on.
    static func table(_ columns: [String], _ rows: [Markup]) -> Markup {
        let head = Markup.element("tr", [:], columns.map { .element("th", ["scope": "col"], $0) })
        let table = Markup.element(
            "table", [:], [.element("thead", [:], [head]), .element("tbody", [:], rows)])
        let scroll = Markup.element(
            "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Table"], [table])
        return .element("div", ["class": "card wide"], [scroll])
    }
}
