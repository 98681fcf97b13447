internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// What people note about a time, such as a release: shown in every chart over time.
struct AnnotationPages: Sendable {
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "annotations") { try await list($0, $1) }
        console.post(inApp: "annotations", as: .operator) { try await add($0, $1, $2) }
        console.post(inApp: "annotations/remove", as: .operator) { try await remove($0, $1, $2) }
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let noted = try await pool.withConnection(attempts: 2) { connection in
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
        try await pool.withTransaction { connection in
            let added = try Annotations.add(
                text, of: app, at: at, campaign: campaign.isEmpty ? nil : campaign, by: visit.person.name,
                now: visit.now, on: connection)
            try visit.record("annotation_added", added.text, on: connection)
        }
        return visit.done(ConsolePlace.annotations.path(of: app.slug), "Noted.")
    }

    private func remove(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let id = try form.number("id", or: "which one?")
        try await pool.withTransaction { connection in
            let removed = try Annotations.remove(id, of: app, on: connection)
            try visit.record("annotation_removed", removed.text, on: connection)
        }
        return visit.done(ConsolePlace.annotations.path(of: app.slug), "Removed.")
    }
}
