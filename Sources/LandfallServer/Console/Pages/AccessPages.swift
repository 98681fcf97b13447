internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering

/// Who may use the console: for admins of all apps.
struct PeoplePages: Sendable {
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/people", as: .admin) { try await people($0) }
        console.post("settings/people", as: .admin) { try await addPerson($0, $1) }
        console.page("settings/people/:id/:act", as: .admin) { try await ask($0) }
        console.post("settings/people/:id/:act", as: .admin) { try await change($0, $1) }
    }

    private func people(
        _ visit: Visit, link: SignInLink? = nil, mistake: String? = nil
    ) async throws -> ConsolePage {
        let people = try await pool.withConnection(attempts: 2) { try PeopleDirectory.list(on: $0) }
        let names = Dictionary(uniqueKeysWithValues: visit.apps.map { ($0.appID, $0.slug) })
        let apps = [("", "all apps")] + visit.apps.map { ($0.slug, $0.slug) }
        let roles = Role.allCases.map { ($0.rawValue, $0.rawValue) }
        return ConsolePage(title: "People") {
            visit.outcome
            h1 { "People" }
            mistake.map(Markup.mistake)
            if let link {
                Markup.secret(
                    "Give this path, after the address of this console, to the person. It works once, within 24 hours, and is shown only now:",
                    link.path)
            }
            table(["Name", "Roles", "Signs in with"], people) { person in
                let everywhere = person.grants.everywhere.map { ["all apps: \($0.rawValue)"] } ?? []
                let inApps = person.grants.byApp.compactMap { appID, role in
                    names[appID].map { "\($0): \(role.rawValue)" }
                }
                let granted = (everywhere + inApps.sorted()).joined(separator: ", ")
                Markup.name(person.name)
                granted
                person.hasPassphrase ? "passphrase" : "link only"
            } acts: { person in
                a(["href": "/settings/people/\(person.id)/link"]) { "New link" }
                a(["href": "/settings/people/\(person.id)/remove"]) { "Remove" }
            }
            h2 { "Add a person" }
            entryForm("/settings/people", visit.session, button: "Add") {
                field("Name or e-mail address", "name", ["required": "", "size": "28"])
                choice("Role", "role", roles, selected: "viewer")
                choice("In", "app", apps, selected: "")
            }
        }
    }

    private func addPerson(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let (name, slug) = (try form.field("name"), try form.field("app"))
        guard let role = Role(rawValue: try form.field("role")) else {
            throw Problem.invalidParameter("'role' must be viewer, operator or admin")
        }
        let app = visit.apps.first { $0.slug == slug }
        guard slug.isEmpty || app != nil else { throw Problem.invalidParameter("there is no such app") }
        do {
            let link = try await pool.withTransaction { connection in
                let added = try PeopleDirectory.add(
                    name, Grants(role, in: app), now: visit.now, on: connection)
                try visit.record("person_added", added.person.name, in: app, on: connection)
                return added.link
            }
            return try await people(visit, link: link).response(for: visit)
        } catch let mistake as PeopleError {
            return try await people(visit, mistake: mistake.description.sentence)
                .response(status: .unprocessableContent, for: visit)
        }
    }

    private func person(_ visit: Visit) async throws -> (Person, act: String) {
        let id = try visit.segment("id") { Int64($0) }
        guard let person = try await pool.withConnection({ try PeopleDirectory.find(id: id, on: $0) })
        else { throw Problem.notFound("there is no such person") }
        return (person, try visit.segment("act") { $0 })
    }

    private func ask(_ visit: Visit) async throws -> ConsolePage {
        let (person, act) = try await person(visit)
        let (title, button, consequence) =
            switch act {
            case "link":
                (
                    "New link for", "Create the link",
                    ", and the passphrase stops working. A one-time link lets them choose a new one."
                )
            case "remove":
                ("Remove", "Remove", " and cannot sign in again. The audit keeps what they did.")
            default: throw Problem.notFound()
            }
        return .asking(
            "\(title) \(person.name)", visit,
            consequences: ["\(person.name) is signed out everywhere\(consequence)"], button: button,
            path: visit.path, back: "/settings/people")
    }

    private func change(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let (person, act) = try await person(visit)
        switch act {
        case "link":
            let link = try await pool.withTransaction { connection in
                try visit.record("person_link", person.name, on: connection)
                return try PeopleDirectory.newLink(for: person.name, now: visit.now, on: connection)
            }
            return try await people(visit, link: link).response(for: visit)
        case "remove":
            guard person.id != visit.person.id else {
                throw Problem(.conflict, "own_person", "you cannot remove yourself: another admin can")
            }
            try await pool.withTransaction { connection in
                try visit.record("person_removed", person.name, on: connection)
                try PeopleDirectory.remove(person.name, on: connection)
            }
            return visit.done("/settings/people", "\(person.name) is removed.")
        default: throw Problem.notFound()
        }
    }
}

struct KeyPages: Sendable {
    let cells: Cells

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
        let read: [CellNumber: [(App, StoredKey)]] = try await cells.each { cell in
            try await cell.pool.withConnection(attempts: 2) { connection in
                let own = apps.filter { $0.cell == cell.number }
                return try own.flatMap { app in try AppDirectory(connection).keys(of: app).map { (app, $0) } }
            }
        }
        let stored = apps.flatMap { app in (read[app.cell] ?? []).filter { $0.0 == app } }
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
            cells.note(without: read.keys)
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
        let cell = try cells[app.cell]
        let key = try await cell.pool.withTransaction { connection in
            let key = try AppDirectory(connection).createKey(kind: kind, for: app, at: cell.clock.now)
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
            try await visit.pool.withTransaction { connection in
                try AppDirectory(connection).revokeKey(keyID, of: app, at: visit.now)
                try visit.record("key_revoked", "key \(keyID)", in: app, on: connection)
            }
        } catch let error as AccessError {
            throw Problem.notFound("\(error)")
        }
        return visit.done("/settings/keys", "The key is revoked.")
    }
}
