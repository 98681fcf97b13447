internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Checks whether PostgreSQL keeps what it committed if the machine crashes. About the whole database, not an app.
enum ServerDurability: SingleDiagnosis {
    static let subject = "durability of the database"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let setting: String
        let value: String
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        guard let row = try connection.query(.Administration.durability).first else { return [] }
        // Not synchronous_commit: the server's own sessions turn it on.
        return try ["fsync", "full_page_writes"].map {
            Fact(setting: $0, value: try row.get($0))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(unsafe(facts).isEmpty ? "commits are on disk" : Words.list(unsafe(facts)))
    }

    private static func unsafe(_ facts: [Fact]) -> [String] {
        facts.filter { $0.value == "off" }.map { "\($0.setting) is off" }
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let settings = unsafe(facts)
        guard !settings.isEmpty else { return nil }
        return Finding(
            .notDurable, .problem, "In PostgreSQL, \(Words.list(settings)).",
            meaning:
                "If the machine crashes, data that got a 2xx can be lost, and the whole database with it.",
            remedy: "Turn them on in postgresql.conf (docs/durability.md).",
            command: ["psql", "-c", "SHOW \(facts.first { $0.value == "off" }?.setting ?? "fsync")"],
            evidence: facts.map { .init($0.setting, .string($0.value)) })
    }
}
