internal import Access
internal import Documents
internal import People
internal import Rendering
internal import Reports
internal import Wording

/// People and their roles in every output format.
struct PersonList {
    let people: [Person]
    let apps: [App]

    var document: JSONValue {
        ["people": .array(people.map(json))]
    }

    private func json(_ person: Person) -> JSONValue {
        [
            "person_id": .integer(person.id),
            "name": .string(person.name),
            "has_passphrase": .bool(person.hasPassphrase),
            "roles": .array(
                person.grants.listed(apps).map { grant in
                    [
                        "app": grant.app.map { .string($0) } ?? .null,
                        "role": .string(grant.role.rawValue),
                    ]
                }),
        ]
    }

    var csv: CSVText { Self.roles.csv(rows) }

    func lines(_ style: OutputStyle) -> [String] { Self.roles.table(rows, style).lines(style) }

    private typealias Row = (person: Person, app: String?, role: Role?)

    private static var roles: Listing<Row> {
        Listing(
            .text("name", "Name", group: 0, isName: true) { $0.person.name },
            .text("app", "App", shown: { row, _ in row.role == nil ? "" : row.app ?? "all apps" }) { $0.app },
            .text("role", "Role", shown: { row, _ in row.role?.rawValue ?? "none" }) { $0.role?.rawValue },
            .flag("has_passphrase", "Passphrase", ("set", "not set yet")) { $0.person.hasPassphrase })
    }

    /// One row per role; the app is `nil` for all apps. A person without a role has one row without it.
    private var rows: [Row] {
        people.flatMap { person -> [Row] in
            let roles = person.grants.listed(apps)
            return roles.isEmpty ? [(person, nil, nil)] : roles.map { (person, $0.app, $0.role) }
        }
    }
}

extension Grants {
    /// The role in all apps (whose app is `nil`), then those in single apps, in the order given.
    func listed(_ apps: [App]) -> [(app: String?, role: Role)] {
        let all: [(String?, Role)] = everywhere.map { [(nil, $0)] } ?? []
        return all + apps.compactMap { app in byApp[app.appID].map { (app.slug, $0) } }
    }
}

extension Person {
    /// `ada@example.com is viewer in all apps and admin in shop.`
    func roles(in apps: [App]) -> String {
        let roles = grants.listed(apps).map { "\($0.role.rawValue) in \($0.app ?? "all apps")" }
        return roles.isEmpty
            ? "\(name) has no role now, and can be removed." : "\(name) is \(Words.list(roles)) now."
    }
}
