internal import Access
internal import Hummingbird
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import Wording

/// People, keys and the audit: for admins of all apps.
struct SettingsPages: Sendable {
    static let links = [
        ("/settings/people", "People"), ("/settings/keys", "Keys"), ("/settings/audit", "Audit"),
    ]

    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/people", as: .admin) { try await people($0) }
        console.post("settings/people", as: .admin) { try await addPerson($0, $1) }
        console.page("settings/people/:id/:act", as: .admin) { try await ask($0) }
        console.post("settings/people/:id/:act", as: .admin) { try await change($0, $1) }
        console.page("settings/keys", as: .admin) { try await keys($0) }
        console.post("settings/keys", as: .admin) { try await createKey($0, $1) }
        console.page("settings/keys/:app/:id/revoke", as: .admin) { try askToRevoke($0) }
        console.post("settings/keys/:app/:id/revoke", as: .admin) { try await revokeKey($0, $1) }
        console.page("settings/audit", as: .admin) { try await audit($0) }
    }

    // MARK: - People

    private func people(_ visit: Visit, link: SignInLink? = nil, mistake: String? = nil) async throws
        -> ConsolePage
    {
        let people = try await pool.withConnection(attempts: 2) { try PeopleDirectory.list(on: $0) }
        let names = Dictionary(uniqueKeysWithValues: visit.apps.map { ($0.appID, $0.slug) })
        let rows = people.map { person -> Markup in
            let everywhere = person.grants.everywhere.map { ["all apps: \($0.rawValue)"] } ?? []
            let inApps = person.grants.byApp.compactMap { appID, role in
                names[appID].map { "\($0): \(role.rawValue)" }
            }
            let acts = [("link", "New link"), ("remove", "Remove")].map { act, title in
                Markup.element("a", ["href": "/settings/people/\(person.id)/\(act)"], title)
            }
            return .element(
                "tr", [:],
                [
                    .element("th", ["scope": "row"], [.name(person.name)]),
                    .element("td", [:], (everywhere + inApps.sorted()).joined(separator: ", ")),
                    .element("td", [:], person.hasPassphrase ? "passphrase" : "link only"),
                    .element("td", ["class": "acts"], acts),
                ])
        }
        let apps = [("", "all apps")] + visit.apps.map { ($0.slug, $0.slug) }
        let roles = Role.allCases.map { ($0.rawValue, $0.rawValue) }
        return ConsolePage(
            "People",
            visit.outcome + [.element("h1", [:], "People")] + Self.shown(mistake) + Self.shown(link) + [
                .table(["Name", "Roles", "Signs in with", ""], rows),
                .element("h2", [:], "Add a person"),
                .form(
                    "/settings/people", visit.session,
                    [
                        .element(
                            "div", ["class": "filters"],
                            [
                                .field("Name or e-mail address", "name", ["required": "", "size": "28"]),
                                .choice("Role", "role", roles, selected: "viewer"),
                                .choice("In", "app", apps, selected: ""),
                                .element("button", ["class": "primary"], "Add"),
                            ])
                    ]),
            ])
    }

    private static func shown(_ link: SignInLink?) -> [Markup] {
        guard let link else { return [] }
        return [
            .element(
                "div", ["class": "done", "role": "status"],
                [
                    .element(
                        "p", [:],
                        "Give this path, after the address of this console, to the person. It works once, within 24 hours, and is shown only now:"
                    ),
                    .element("pre", [:], [.element("code", [:], link.path)]),
                ])
        ]
    }

    private static func shown(_ mistake: String?) -> [Markup] {
        mistake.map { [.element("p", ["class": "mistake", "role": "alert"], $0)] } ?? []
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

    private func person(_ visit: Visit) async throws -> (Person, act: Substring) {
        let parts = visit.path.split(separator: "/")
        guard let id = parts.dropLast().last.flatMap({ Int64($0) }), let act = parts.last,
            let person = try await pool.withConnection({ try PeopleDirectory.find(id: id, on: $0) })
        else { throw Problem(.notFound, "not_found", "there is no such person") }
        return (person, act)
    }

    private func ask(_ visit: Visit) async throws -> ConsolePage {
        let (person, act) = try await person(visit)
        switch act {
        case "link":
            return Act(
                title: "New link for \(person.name)",
                consequences: [
                    "\(person.name) is signed out everywhere, and the passphrase stops working. A one-time link lets them choose a new one."
                ],
                button: "Create the link", path: visit.path, back: "/settings/people"
            ).page(nil, visit.session)
        case "remove":
            return Act(
                title: "Remove \(person.name)",
                consequences: [
                    "\(person.name) is signed out everywhere and cannot sign in again. The audit keeps what they did."
                ],
                button: "Remove", path: visit.path, back: "/settings/people"
            ).page(nil, visit.session)
        default: throw Problem(.notFound, "not_found", "this path does not exist")
        }
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
            return .seeOther(visit.done("/settings/people", "\(person.name) is removed."))
        default: throw Problem(.notFound, "not_found", "this path does not exist")
        }
    }

    // MARK: - Keys

    private func keys(_ visit: Visit, created: (App, APIKey)? = nil) async throws -> ConsolePage {
        let stored = try await pool.withConnection(attempts: 2) { connection in
            try visit.apps.map { ($0, try AppDirectory(connection).keys(of: $0)) }
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
                return .element(
                    "tr", [:],
                    [
                        .element("th", ["scope": "row"], [.name(app.slug)]),
                        .element("td", [:], key.kind),
                        .element("td", [:], [.element("code", [:], "\(key.prefix)…")]),
                        .element("td", [:], Self.day(key.createdAt)), .element("td", [:], state),
                        .element("td", ["class": "acts"], revoke),
                    ])
            }
        }
        let shown = created.map { app, key -> [Markup] in
            [
                .element(
                    "div", ["class": "done", "role": "status"],
                    [
                        .element(
                            "p", [:],
                            "Save this \(key.kind.rawValue) key of \(app.slug) now: it is shown only once."),
                        .element("pre", [:], [.element("code", [:], key.text)]),
                    ])
            ]
        }
        let kinds = APIKey.Kind.allCases.map { ($0.rawValue, $0.rawValue) }
        return ConsolePage(
            "Keys",
            visit.outcome + [.element("h1", [:], "Keys")] + (shown ?? []) + [
                .table(["App", "Kind", "Begins with", "Created", "State", ""], rows),
                .element("h2", [:], "Create a key"),
                .form(
                    "/settings/keys", visit.session,
                    [
                        .element(
                            "div", ["class": "filters"],
                            [
                                .choice(
                                    "App", "app", visit.apps.map { ($0.slug, $0.slug) },
                                    selected: visit.apps.first?.slug ?? ""),
                                .choice("Kind", "kind", kinds, selected: "server"),
                                .element("button", ["class": "primary"], "Create"),
                            ])
                    ]),
            ])
    }

    private func createKey(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let slug = try form.field("app")
        guard let app = visit.apps.first(where: { $0.slug == slug }),
            let kind = APIKey.Kind(rawValue: try form.field("kind"))
        else { throw Problem.invalidParameter("choose an app and a kind of key") }
        let key = try await pool.withTransaction { connection in
            let key = try AppDirectory(connection).createKey(kind: kind, for: app, at: visit.now)
            try visit.record("key_created", "\(kind.rawValue) \(key.prefix)…", in: app, on: connection)
            return key
        }
        return try await keys(visit, created: (app, key)).response(for: visit)
    }

    private func keyID(_ visit: Visit) throws(Problem) -> Int64 {
        guard let id = visit.path.split(separator: "/").dropLast().last.flatMap({ Int64($0) }) else {
            throw Problem(.notFound, "not_found", "there is no such key")
        }
        return id
    }

    private func askToRevoke(_ visit: Visit) throws -> ConsolePage {
        Act(
            title: "Revoke key \(try keyID(visit)) of \(try visit.requireApp().slug)",
            consequences: [
                "Servers reject requests with this key within a few seconds, permanently. Create its successor first."
            ],
            button: "Revoke", path: visit.path, back: "/settings/keys"
        ).page(nil, visit.session)
    }

    private func revokeKey(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let (app, keyID) = (try visit.requireApp(), try keyID(visit))
        do {
            try await pool.withTransaction { connection in
                try AppDirectory(connection).revokeKey(keyID, of: app, at: visit.now)
                try visit.record("key_revoked", "key \(keyID)", in: app, on: connection)
            }
        } catch let error as AccessError {
            throw Problem(.notFound, "not_found", "\(error)")
        }
        return .seeOther(visit.done("/settings/keys", "The key is revoked."))
    }

    // MARK: - Audit

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

    private static func day(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }
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
        .element(
            "div", ["class": "card wide scroll", "tabindex": "0", "role": "region", "aria-label": "Table"],
            [
                .element(
                    "table", [:],
                    [
                        .element(
                            "thead", [:],
                            [.element("tr", [:], columns.map { .element("th", ["scope": "col"], $0) })]),
                        .element("tbody", [:], rows),
                    ])
            ])
    }
}
