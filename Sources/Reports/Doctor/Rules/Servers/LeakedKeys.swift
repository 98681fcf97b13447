internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient

/// Keys that belong on servers and were used by pages in browsers within the last day.
enum LeakedKeys: Diagnosis {
    static let subject = "keys in pages"
    static let isAboutTraffic = false

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> [KeysInPages.Key] {
        let noted = try connection.conditions(.keyInBrowser, as: KeysInPages.self)
            .filter { $0.age < .days(1) }
        return Set(noted.flatMap(\.detail.keys)).sorted { $0.keyID < $1.keyID }
    }

    static func examined(_ facts: [KeysInPages.Key], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none" : "\(facts.count) used")
    }

    static func findings(_ facts: [KeysInPages.Key], _ examination: Examination) -> [Finding] {
        facts.map { key in
            Finding(
                .keyInBrowser, .problem,
                "A page in a browser used the \(key.kind) key \(key.keyID) of app \(key.app).",
                meaning:
                    "Anyone who can open the page can read the key. The server rejected the request, but from anywhere else the key "
                    + "works.",
                remedy:
                    "Revoke the key, give its server a new one, and give the page a device key. This finding ends a day after the "
                    + "last use.",
                command: ["landfall", "key", "revoke", "\(key.keyID)", "--app", key.app],
                evidence: [
                    .init("app", .string(key.app)), .init("key_id", .integer(key.keyID)),
                    .init("kind", .string(key.kind)),
                ])
        }
    }
}
