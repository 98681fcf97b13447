internal import Access
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Wording

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
            try apps.flatMap { app in try AppDirectory(connection).keys(of: app).map { (app, $0) } }
        }
        let kinds = APIKey.Kind.allCases.map { ($0.rawValue, $0.rawValue) }
        let slugs = apps.map { ($0.slug, $0.slug) }
        return ConsolePage(title: "Keys") {
            visit.outcome
            h1 { "Keys" }
            if let (app, key) = created {
                Markup.secret(
                    "Save this \(key.kind.rawValue) key of \(app.slug) now: it is shown only once.", key.text)
            }
            table(["App", "Kind", "Begins with", "Created", "State"], stored) { app, key in
                Markup.name(app.slug)
                key.kind
                code { "\(key.prefix)…" }
                key.createdAt.utcDate
                key.revokedAt.map { "revoked \($0.utcDate)" } ?? "valid"
            } acts: { app, key in
                if key.revokedAt == nil {
                    a(["href": "/settings/keys/\(app.slug)/\(key.keyID)/revoke"]) { "Revoke" }
                }
            }
            h2 { "Create a key" }
            entryForm("/settings/keys", visit.session, button: "Create") {
                choice("App", "app", slugs, selected: apps.first?.slug ?? "")
                choice("Kind", "kind", kinds, selected: "server")
            }
        }
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
        return .asking(
            "Revoke key \(keyID) of \(try visit.requireApp().slug)", visit,
            consequences: [
                "Servers reject requests with this key within a few seconds, permanently. Create its successor first."
            ], button: "Revoke", path: visit.path, back: "/settings/keys")
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
        return visit.done("/settings/keys", "The key is revoked.")
    }
}
