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

    /// One row per role; the app is empty for all apps. A person without a role has one row without it.
    var csv: CSVText {
        var text = CSVText(header: ["name", "app", "role", "has_passphrase"])
        for person in people {
            for (app, role) in rows(person) {
                text.append([
                    .text(person.name), .text(app ?? ""), .text(role?.rawValue ?? ""),
                    .text(person.hasPassphrase ? "true" : "false"),
                ])
            }
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([
            .init("Name", isNumber: false, group: 0, isName: true),
            .init("App", isNumber: false, group: 1), .init("Role", isNumber: false, group: 1),
            .init("Passphrase", isNumber: false, group: 1),
        ])
        for person in people {
            table.rows += rows(person).map { app, role in
                [
                    .init(person.name), .init(role == nil ? "" : app ?? "all apps"),
                    .init(role?.rawValue ?? "none"), .init(person.hasPassphrase ? "set" : "not set yet"),
                ]
            }
        }
        return table.lines(style)
    }

    private func rows(_ person: Person) -> [(app: String?, role: Role?)] {
        let roles = person.grants.listed(apps)
        return roles.isEmpty ? [(nil, nil)] : roles.map { ($0.app, $0.role) }
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
