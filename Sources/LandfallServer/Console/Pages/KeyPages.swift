internal import Access
internal import Hummingbird
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering

/// The keys of the apps that a person administers.
struct KeyPages: Sendable {
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/keys") { try await keys($0) }
        console.post("settings/keys", as: .viewer) { try await createKey($0, $1) }
        console.page("settings/keys/:app/:id/revoke", as: .admin) { try askToRevoke($0) }
        console.post("settings/keys/:app/:id/revoke", as: .admin) { try await revokeKey($0, $1) }
    }

    /// - Throws: 403 if there is none.
    private func administered(_ visit: Visit) throws -> [App] {
        guard visit.administersApps else {
            throw Problem(.forbidden, "role_needed", "keys are for admins: ask one")
        }
        return visit.administered
    }

    private func keys(_ visit: Visit, created: (App, APIKey)? = nil) async throws -> ConsolePage {
        let apps = try administered(visit)
        let stored = try await pool.withConnection(attempts: 2) { connection in
            try apps.map { ($0, try AppDirectory(connection).keys(of: $0)) }
        }
        let rows = stored.flatMap { app, keys in
            keys.map { key -> Markup in
                let state = key.revokedAt.map { "revoked \(Self.day($0))" } ?? "valid"
                let revoke =
                    key.revokedAt == nil
                    ? [
                        Markup.element(
                            "a", ["href": "/settings/keys/\(app.slug)/\(key.keyID)/revoke"], "Revoke")
                    ] : []
                return .row(
                    [
                        .name(app.slug), Markup(key.kind), .element("code", [:], "\(key.prefix)…"),
                        Markup(Self.day(key.createdAt)), Markup(state),
                    ], acts: revoke)
            }
        }
        let shown = created.map { app, key in
            Markup.secret(
                "Save this \(key.kind.rawValue) key of \(app.slug) now: it is shown only once.", key.text)
        }
        let kinds = APIKey.Kind.allCases.map { ($0.rawValue, $0.rawValue) }
        return ConsolePage(
            "Keys",
            visit.outcome + [.element("h1", [:], "Keys")] + [shown].compactMap(\.self) + [
                .table(["App", "Kind", "Begins with", "Created", "State", ""], rows),
                .element("h2", [:], "Create a key"),
                .form(
                    "/settings/keys", visit.session,
                    [
                        .fields([
                            .choice(
                                "App", "app", apps.map { ($0.slug, $0.slug) },
                                selected: apps.first?.slug ?? ""),
                            .choice("Kind", "kind", kinds, selected: "server"),
                            .element("button", ["class": "primary"], "Create"),
                        ])
                    ]),
            ])
    }

    private func createKey(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let slug = try form.field("app")
        guard let app = try administered(visit).first(where: { $0.slug == slug }),
            let kind = APIKey.Kind(rawValue: try form.field("kind"))
        else { throw Problem.invalidParameter("choose an app and a kind of key") }
        let key = try await pool.withTransaction { connection in
            let key = try AppDirectory(connection).createKey(kind: kind, for: app, at: visit.now)
            try visit.record("key_created", "\(kind.rawValue) \(key.prefix)…", in: app, on: connection)
            return key
        }
        return try await keys(visit, created: (app, key)).response(for: visit)
    }

    private func askToRevoke(_ visit: Visit) throws -> ConsolePage {
        let keyID = try visit.segment("id") { Int64($0) }
        return Act(
            title: "Revoke key \(keyID) of \(try visit.requireApp().slug)",
            consequences: [
                "Servers reject requests with this key within a few seconds, permanently. Create its successor first."
            ],
            button: "Revoke", path: visit.path, back: "/settings/keys"
        ).page(nil, visit.session)
    }

    private func revokeKey(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let (app, keyID) = (try visit.requireApp(), try visit.segment("id") { Int64($0) })
        do {
            try await pool.withTransaction { connection in
                try AppDirectory(connection).revokeKey(keyID, of: app, at: visit.now)
                try visit.record("key_revoked", "key \(keyID)", in: app, on: connection)
            }
        } catch let error as AccessError {
            throw Problem.notFound("\(error)")
        }
        return .seeOther(visit.done("/settings/keys", "The key is revoked."))
    }

    private static func day(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }
}
