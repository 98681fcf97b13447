internal import DeliveryModel
internal import Doctor
internal import Hummingbird
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// All apps; one app's day; the plan of its sweep; the glossary.
struct AppPages: Sendable {
    let desk: ReportDesk
    let parts: RecentParts

    func addRoutes(to console: ConsoleRoutes) {
        console.page("/") { try await apps($0) }
        console.page(inApp: "") { try await today($0, $1) }
        console.page(inApp: "sweep") { try await sweep($1) }
        console.page("glossary") { _ in ConsolePage(title: "Glossary") { GlossaryMarkup.content } }
    }

    private func apps(_ visit: Visit) async throws -> ConsolePage {
        let cards = try await parts.cards(of: visit.apps, now: visit.now)
        return ConsolePage(title: "Apps", counting: cards.counting) {
            cards.content("Apps") { cards in
                AppCard.page(cards.cards)
                cards.note
            }
        }
    }

    private func today(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let zone = try visit.parameters.one("tz").map { try ReportTimeZone($0) } ?? .utc
        let (day, week, mutes) = try await desk.read(in: app.cell) { connection in
            (
                try AppToday.run(for: app, in: zone, on: connection, now: visit.now),
                try AppWeek.run(for: app, in: zone, on: connection, now: visit.now),
                try FindingMutes.list(of: app, now: visit.now, on: connection)
            )
        }
        // After the day, which would otherwise wait for their connections.
        async let examined = Self.unlessTooLong { try await parts.examination(of: app, for: visit) }
        async let counted = Self.unlessTooLong { try await parts.tokenHealth(of: app, now: visit.now) }
        let (doctor, health) = (try await examined, try await counted)
        let campaigns = ConsolePlace.campaigns.path(of: app.slug)
        let page = HTMLPage(
            day, week, health?.value, doctor?.value, muted: Set(mutes.map(\.finding)),
            doctorPage: ConsolePlace.doctor.path(of: app.slug))
        let links = visit.links(filter: { _, value in
            value.isEmpty ? nil : "\(campaigns)/\(value.queryEncoded)"
        })
        return ConsolePage(
            title: "Today", place: .today, counting: doctor?.counting ?? health?.counting, isLive: true
        ) { page.content(links) }
    }

    /// `nil` if the part takes longer than a report may: the rest of the page needs none of it.
    private static func unlessTooLong<Value>(
        _ part: () async throws -> Recent<Value>.Answer
    ) async throws -> Recent<Value>.Answer? {
        do {
            return try await part()
        } catch let problem as Problem where problem.status == .gatewayTimeout {
            return nil
        }
    }

    /// The plan of a sweep. A run takes longer with more tokens and can be stopped: that is a command's work.
    private func sweep(_ app: App) async throws -> ConsolePage {
        let plan = try await parts.sweepPlan(of: app)
        let note = p(class: "note") {
            "This is a plan. To carry it out: "
            code { "landfall tokens sweep --app \(shellWord(app.slug)) --apply" }
        }
        return ConsolePage(title: "Sweep", place: .sweep, counting: plan.counting) {
            plan.content("Sweep") { $0.htmlPage.content(and: [note]) }
        }
    }
}
