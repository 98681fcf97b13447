internal import Access
internal import Hummingbird
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// All apps; one app's day; the plan of its sweep; the glossary.
struct AppPages: Sendable {
    let desk: ReportDesk

    func addRoutes(to console: ConsoleRoutes) {
        console.page("/") { try await apps($0) }
        console.page("apps/:app") { try await today($0) }
        console.page("apps/:app/sweep") { try await sweep($0) }
        console.page("glossary") { _ in ConsolePage("Glossary", GlossaryMarkup.content) }
    }

    private func apps(_ visit: Visit) async throws -> ConsolePage {
        let days = try await desk.read { connection in
            try visit.apps.map { app in
                try AppToday.run(for: app, in: .utc, on: connection, now: visit.now)
            }
        }
        let cards = AppCards(days) { ConsolePlace.today.path(of: $0.slug) }
        return ConsolePage("Apps", cards.markup)
    }

    private func today(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let zone = try visit.parameters.one("tz").map { try ReportTimeZone($0) } ?? .utc
        let content = try await desk.read { connection in
            let day = try AppToday.run(for: app, in: zone, on: connection, now: visit.now)
            let health = try TokenHealth.run(for: app, on: connection, now: visit.now)
            let doctor = try visit.examine(app, on: connection)
            let mutes = try FindingMutes.list(of: app, now: visit.now, on: connection)
            return HTMLPage(
                day, health, doctor, muted: Set(mutes.map(\.finding)),
                doctorPage: ConsolePlace.doctor.path(of: app.slug)
            ).content(
                PageLinks(
                    filter: { _, value in
                        value.isEmpty
                            ? nil : "\(ConsolePlace.campaigns.path(of: app.slug))/\(value.queryEncoded)"
                    }, glossary: { "/glossary#\($0)" }))
        }
        return ConsolePage("Today", place: .today, isLive: true, [content])
    }

    /// The plan of a sweep. Carrying it out takes as long as there are tokens, and can be stopped: that is a command's work.
    private func sweep(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let content = try await desk.read { connection in
            // PostgreSQL's clock is used, because a wrong clock here would make every token look silent.
            let now = try connection.clock()
            let sweep = Sweep(appID: app.appID, on: connection)
            let rules = try sweep.rules()
            let past = try PastSweeps(appID: app.appID, now: now, on: connection)
            let report = SweepReport(app: app.slug, rules: rules, past: past, asOf: now)
                .planned(try sweep.plan(rules, now: now))
            return SweepTable(report: report, style: .page).htmlPage.content()
        }
        let command = Markup.element(
            "code", [:], "landfall tokens sweep --app \(shellWord(app.slug)) --apply")
        return ConsolePage(
            "Sweep", place: .sweep,
            [
                content,
                .element("p", ["class": "note"], [Markup("This is a plan. To carry it out: "), command]),
            ])
    }
}
