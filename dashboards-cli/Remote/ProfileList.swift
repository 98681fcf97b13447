internal import Access
internal import Documents
internal import Rendering

/// The profiles of this user in every output format, without their keys.
struct ProfileList {
    let profiles: [String: Profile]
    /// The name of the profile that the environment names.
    let chosen: String?

    private var rows: [(name: String, profile: Profile)] {
        profiles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var document: JSONValue {
        let rows: [JSONValue] = rows.map { name, profile in
            [
                "name": .string(name), "server": .string(profile.server),
                "key_prefix": .string(profile.keyPrefix), "chosen": .bool(name == chosen),
            ]
        }
        return ["profiles": .array(rows)]
    }

    var csv: CSVText {
        var text = CSVText(header: ["name", "server", "key_prefix", "chosen"])
        for (name, profile) in rows {
            text.append([
                .text(name), .text(profile.server), .text(profile.keyPrefix),
                .text(name == chosen ? "true" : "false"),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        guard !profiles.isEmpty else { return [] }
        var table = TextTable([
            .init("Profile", isNumber: false, group: 0), .init("Server", isNumber: false, group: 1),
            .init("Key begins with", isNumber: false, group: 1), .init("", isNumber: false, group: 1),
        ])
        table.rows = rows.map { name, profile in
            [
                .init(name), .init(profile.server), .init(profile.keyPrefix + style.ellipsis),
                .init(name == chosen ? ProfileOption.environmentVariable : ""),
            ]
        }
        return table.lines(style)
    }
}
