internal import DeliveryModel
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

/// What people note about a time, such as a release: shown in every chart over time.
struct AnnotationPages: Sendable {
    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "annotations") { try await list($0, $1) }
        console.post(inApp: "annotations", as: .operator) { try await add($0, $1, $2) }
        console.post(inApp: "annotations/remove", as: .operator) { try await remove($0, $1, $2) }
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let noted = try await visit.pool.withConnection(attempts: 2) { connection in
            try Annotations.list(
                of: app, in: (visit.now - .days(400))..<(visit.now + .days(400)), on: connection)
        }
        let path = ConsolePlace.annotations.path(of: app.slug)
        let mayWrite = visit.role >= .operator
        return ConsolePage(title: "Annotations", place: .annotations) {
            visit.outcome
            h1 { "Annotations" }
            p(class: "headline") {
                noted.isEmpty
                    ? "Nothing is noted yet. What you note, such as a release, appears in every chart over time."
                    : "These appear in every chart over time."
            }
            if mayWrite {
                entryForm(path, visit.session, button: "Note it") {
                    field(
                        "What happened", "text",
                        ["required": "", "maxlength": "\(FieldLimits.line)", "size": "32"])
                    field("When (UTC; empty for now)", "at", ["placeholder": "2026-03-01T09:30:00Z"])
                    field("Only for the campaign", "campaign")
                }
            }
            if !noted.isEmpty {
                table(["What happened", "When", "Campaign", "By"], noted.reversed()) { annotation in
                    Markup.name(annotation.text)
                    annotation.at.utcMinuteWithOffset
                    Markup.name(annotation.campaign ?? "")
                    Markup.name(annotation.createdBy)
                } acts: { annotation in
                    if mayWrite {
                        postForm("\(path)/remove", visit.session) {
                            hidden("id", String(annotation.id))
                            button { "Remove" }
                        }
                    }
                }
            }
        }
    }

    private func add(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let (text, when) = (try form.field("text"), try form.field("at"))
        let campaign = try form.field("campaign")
        let at = when.isEmpty ? visit.now : WindowBound.instant(when, in: .utc, now: visit.now)
        guard let at else {
            throw Problem.invalidParameter("write the time as 2026-03-01 or 2026-03-01T09:30:00Z")
        }
        try await visit.pool.withTransaction { connection in
            let added = try Annotations.add(
                text, of: app, at: at, campaign: campaign.isEmpty ? nil : campaign, by: visit.person.name,
                now: visit.now, on: connection)
            try visit.record("annotation_added", added.text, on: connection)
        }
        return visit.done(ConsolePlace.annotations.path(of: app.slug), "Noted.")
    }

    private func remove(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let id = try form.number("id", or: "which one?")
        try await visit.pool.withTransaction { connection in
            let removed = try Annotations.remove(id, of: app, on: connection)
            try visit.record("annotation_removed", removed.text, on: connection)
        }
        return visit.done(ConsolePlace.annotations.path(of: app.slug), "Removed.")
    }
}

/// Links to one report, with its question, for people without an account.
///
/// The database keeps path and question, so no visitor can change them. Counts are coarse (``CoarseReport``).
struct SharePages: Sendable {
    /// Connections to the front cell, which has all links.
    let pool: PostgresPool
    let desk: ReportDesk
    let clock: ServerClock
    /// The content of shared links, by their ids, so that opening a link often costs one report at a time.
    let recent = Recent<Markup>(capacity: 100)

    /// The reports whose counts can be made coarse.
    static let reports: Set<String> = ["funnel", "clicks"]

    private static let windows = [("rolling", "moves with time"), ("fixed", "stays as it is now")]
    private static let lifetimes = [("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "a year")]

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "shares") { try await list($0, $1) }
        console.page(inApp: "shares/new", as: .operator) { try ask($0, $1) }
        console.post(inApp: "shares", as: .operator) { try await create($0, $1, $2) }
        console.post(inApp: "shares/revoke", as: .operator) { try await revoke($0, $1, $2) }
        console.group.get("shared/:secret") { request, context in try await shared(request, context) }
    }

    // MARK: - Creating and revoking

    /// The question of the report that is to be shared, from the form's or the page's parameters.
    private func question(_ route: ReportRoute, _ asked: QueryParameters) throws -> QueryParameters {
        let parameters = ["report", "compare", "format", "terminal"].reduce(asked) { $0.setting($1, to: nil) }
        try parameters.check(against: route.parameters)
        return parameters
    }

    private func route(_ name: String) throws(Problem) -> ReportRoute {
        guard Self.reports.contains(name), let route = ReportRoute.all.first(where: { $0.name == name })
        else { throw Problem.invalidParameter("only the funnel and clicks can be shared") }
        return route
    }

    private func ask(_ visit: Visit, _ app: App) throws -> ConsolePage {
        let name = try visit.parameters.one("report") ?? ""
        let parameters = try question(try route(name), visit.parameters.withoutEmptyFields)
        let address = PageAddress(path: ConsolePlace.today.path(of: app.slug) + "/\(name)", parameters)
        return ConsolePage(title: "Share") {
            h1 { "Share this report" }
            p(class: "headline") {
                "Anyone with the link sees this report with these filters, and nothing else. Counts are rounded down to tens."
            }
            postForm("/apps/\(app.slug)/shares", visit.session) {
                hidden("report", name)
                hidden("query", address.query)
                div(class: "filters") {
                    field(
                        "Title", "title",
                        ["required": "", "maxlength": "\(FieldLimits.line)", "size": "30"])
                    choice("Window", "window", Self.windows, selected: "rolling")
                    choice("Works for", "days", Self.lifetimes, selected: "30")
                    button(class: "primary") { "Create the link" }
                    a(["href": address.text]) { "Cancel" }
                }
            }
        }
    }

    private func create(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let name = try form.field("report")
        let route = try route(name)
        var parameters = try question(route, try QueryParameters(query: form.field("query")))
        let asked = try route.read(parameters.setting("format", to: "html"), app, visit.now)
        let isRolling = try form.field("window") != "fixed"
        if !isRolling, let window = asked.windows.first {
            parameters = parameters.setting("from", to: window.lowerBound.rfc3339)
                .setting("to", to: window.upperBound.rfc3339)
        }
        let days = try form.number("days", in: 1...365, or: "a link works for 1 to 365 days")
        let path = PageAddress(path: "/apps/\(app.slug)/\(name)", parameters).text
        let (title, now) = (try form.field("title"), clock.now)
        let created = try await pool.withTransaction { connection in
            let created = try ShareLinks.create(
                path, of: app, title: title, isRolling: isRolling, expiresAt: now + .days(days),
                by: visit.person, now: now, on: connection)
            try visit.record("share_created", "\(title): \(path)", on: connection)
            return created
        }
        return try await list(visit, app, created: created.secret).response(for: visit)
    }

    private func revoke(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let id = try form.number("id", or: "which link?")
        try await pool.withTransaction { connection in
            try ShareLinks.revoke(id, of: app, on: connection)
            try visit.record("share_revoked", "link \(id)", on: connection)
        }
        return visit.done(ConsolePlace.shares.path(of: app.slug), "The link no longer works.")
    }

    private func list(_ visit: Visit, _ app: App, created: Secret? = nil) async throws -> ConsolePage {
        let links = try await pool.withConnection(attempts: 2) { [clock] in
            try ShareLinks.list(of: app, now: clock.now, on: $0)
        }
        return ConsolePage(title: "Shared reports", place: .shares) {
            visit.outcome
            h1 { "Shared reports" }
            if let created {
                Markup.secret(
                    "This link, after the address of this console, is shown only now:",
                    "/shared/\(created.text)")
            }
            if links.isEmpty {
                p(class: "headline") {
                    "No report is shared. The page of the funnel, or of clicks, has a link that shares it."
                }
            } else {
                table(["Title", "Report", "By", "Until"], links) { link in
                    Markup.name(link.title)
                    code { link.path }
                    Markup.name(link.createdBy)
                    link.expiresAt.utcDate
                } acts: { link in
                    if visit.role >= .operator {
                        postForm("/apps/\(app.slug)/shares/revoke", visit.session) {
                            hidden("id", String(link.id))
                            button { "Revoke" }
                        }
                    }
                }
            }
        }
    }

    // MARK: - The shared page

    private func shared(_ request: Request, _ context: LandfallRequestContext) async throws -> Response {
        let missing = Problem.notFound("this link does not work, or no longer")
        // The question is the one that was shared.
        guard request.uri.query == nil,
            let secret = context.parameters.get("secret").flatMap({ Secret(text: $0) })
        else { throw missing }
        let now = clock.now
        let link = try await pool.withConnection(attempts: 2) { connection in
            try ShareLinks.find(secret, now: now, on: connection)
        }
        guard let link else { throw missing }
        let parts = link.path.split(separator: "?", maxSplits: 1).map(String.init)
        let route = try route(parts[0].split(separator: "/").last.map(String.init) ?? "")
        let parameters = try QueryParameters(query: parts.count > 1 ? parts[1] : nil)
        let cell = try desk.cells[link.app.cell]
        let question = try route.read(parameters.setting("format", to: "html"), link.app, cell.clock.now)
        let shared = try await recent.answer("\(link.id)") { [desk] in
            try await desk.answer(question, in: cell.number) { requested, _, _ in
                guard let report = requested.report as? any CoarseReport,
                    let coarse = report.coarse() as? any RenderableReport
                else { throw missing }
                return coarse.htmlPage.content()
            }
        }
        let note =
            "Shared until \(link.expiresAt.utcDate). Every count is rounded down to tens; 0 means fewer than 10. Rates need counts of at least 100."
        return ConsolePage(title: link.title, counting: shared.counting, isReport: true) {
            shared.content(link.title) { $0 }
            p(class: "note") { note }
        }.response(for: nil)
    }
}
