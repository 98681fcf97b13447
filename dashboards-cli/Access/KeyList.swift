internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// An app's keys in every output format.
struct KeyList {
    let app: App
    let keys: [StoredKey]

    var document: JSONValue {
        ["app": .string(app.slug), "keys": .array(keys.map(Self.json))]
    }

    private static func json(_ key: StoredKey) -> JSONValue {
        [
            "key_id": .integer(key.keyID),
            "kind": .string(key.kind),
            "prefix": .string(key.prefix),
            "created_at": .string(key.createdAt.rfc3339),
            "revoked_at": key.revokedAt.map { .string($0.rfc3339) } ?? .null,
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: ["app", "key_id", "kind", "prefix", "created_at", "revoked_at"])
        for key in keys {
            text.append([
                .text(app.slug), .integer(key.keyID), .text(key.kind), .text(key.prefix),
                .text(key.createdAt.rfc3339), .text(key.revokedAt?.rfc3339 ?? ""),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([
            .init("Id", group: 0), .init("Kind", isNumber: false, group: 1),
            .init("Begins with", isNumber: false, group: 1),
            .init("Created (UTC)", isNumber: false, group: 1),
            .init("Revoked (UTC)", isNumber: false, group: 1),
        ])
        table.rows = keys.map { key in
            [
                .init(String(key.keyID)), .init(key.kind), .init(key.prefix + style.ellipsis),
                .init(key.createdAt.utcMinute), .init(key.revokedAt?.utcMinute ?? "", .trouble),
            ]
        }
        return table.lines(style)
    }
}
