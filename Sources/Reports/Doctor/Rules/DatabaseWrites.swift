internal import Documents
internal import PostgresClient

/// Checks whether PostgreSQL can be written to. About the whole database, not an app.
enum DatabaseWrites: SingleDiagnosis {
    static let subject = "writing"
    static let isAboutTraffic = false

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> WritingTrouble? {
        try WritingTrouble.announced(on: connection) ?? WritingTrouble.tried(on: connection)
    }

    static func examined(_ trouble: WritingTrouble?, _ examination: Examination) -> Examined {
        .judged(trouble == nil ? "possible" : "not possible")
    }

    static func finding(_ trouble: WritingTrouble?, _ examination: Examination) -> Finding? {
        guard let trouble else { return nil }
        // A person may examine a standby on purpose.
        return Finding(
            .notWritable, trouble == .standby ? .warning : .problem,
            "\(trouble.sentence).".capitalizedStart,
            meaning:
                "Servers of this database respond to events and registrations with 503, and /readyz "
                + "returns 503. Senders and devices that repeat what got 503 lose nothing.",
            remedy: trouble.remedy, command: ["psql", "-c", "SELECT pg_is_in_recovery()"],
            evidence: [.init("reason", .string(trouble.name))])
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}
