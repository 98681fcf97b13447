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
        console.page("apps/:app/annotations") { try await list($0) }
        console.post("apps/:app/annotations", as: .operator) { try await add($0, $1) }
        console.post("apps/:app/annotations/remove", as: .operator) { try await remove($0, $1) }
    }

    private func list(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let annotations = try await pool.withConnection(attempts: 2) { connection in
            try Annotations.list(
                of: app, in: (visit.now - .days(400))..<(visit.now + .days(400)), on: connection)
        }
        let path = ConsolePlace.annotations.path(of: app.slug)
        let mayWrite = visit.role >= .operator
        let rows = annotations.reversed().map { annotation -> Markup in
            let remove = Markup.form(
                "\(path)/remove", visit.session,
                [.hidden("id", String(annotation.id)), .element("button", [:], "Remove")])
            return .row(
                [
                    .name(annotation.text),
                    Markup(LocalTime(annotation.at, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                    .name(annotation.campaign ?? ""), .name(annotation.createdBy),
                ], acts: mayWrite ? [remove] : [])
        }
        let form = Markup.form(
            path, visit.session,
            [
                .fields([
                    .field(
                        "What happened", "text",
                        ["required": "", "maxlength": "\(FieldLimits.line)", "size": "32"]),
                    .field("When (UTC; empty for now)", "at", ["placeholder": "2026-03-01T09:30:00Z"]),
                    .field("Only for the campaign", "campaign"),
                    .element("button", ["class": "primary"], "Note it"),
                ])
            ])
        return ConsolePage(
            "Annotations", place: .annotations,
            visit.outcome + [
                .element("h1", [:], "Annotations"),
                .element(
                    "p", ["class": "headline"],
                    rows.isEmpty
                        ? "Nothing is noted yet. What you note, such as a release, appears in every chart over time."
                        : "These appear in every chart over time."),
            ] + (mayWrite ? [form] : [])
                + (rows.isEmpty ? [] : [.table(["What happened", "When", "Campaign", "By", ""], rows)]))
    }

    private func add(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let app = try visit.requireApp()
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
        return .seeOther(visit.done(ConsolePlace.annotations.path(of: app.slug), "Noted."))
    }

    private func remove(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let app = try visit.requireApp()
        let id = try form.number("id", or: "which one?")
        try await pool.withTransaction { connection in
            let removed = try Annotations.remove(id, of: app, on: connection)
            try visit.record("annotation_removed", removed.text, on: connection)
        }
        return .seeOther(visit.done(ConsolePlace.annotations.path(of: app.slug), "Removed."))
    }
}
