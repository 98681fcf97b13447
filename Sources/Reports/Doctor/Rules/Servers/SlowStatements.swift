internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Statements that took longer than servers wait.
enum SlowStatements: SingleDiagnosis {
    static let subject = "statement times"
    static let isAboutTraffic = false

    /// The sum of all servers' counts, each since the server's last hour without a slow statement.
    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> SlowStatementCounts {
        try connection.conditions(.slowStatements, as: SlowStatementCounts.self)
            .filter { $0.age < .days(1) }.reduce(SlowStatementCounts()) { $0 + $1.detail }
    }

    static func examined(_ facts: SlowStatementCounts, _ examination: Examination) -> Examined {
        .judged(
            facts.total == 0
                ? "in time" : "\(Words.count(Int64(facts.total), "statement", "statements")) took too long")
    }

    static func finding(_ facts: SlowStatementCounts, _ examination: Examination) -> Finding? {
        guard facts.total > 0 else { return nil }
        let statements = facts.byStatement.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Finding(
            .slowStatements, .warning,
            "\(Words.count(Int64(facts.total), "statement", "statements")) took longer than database.statement_timeout within "
                + "the last day: "
                + Words.list(statements.map { "\($0.key) (\(Words.number(Int64($0.value))))" }) + ".",
            meaning:
                "Batches of events are then written in halves, which takes longer but loses nothing. Other requests got 503 "
                + "statement_timeout, and their clients repeat them.",
            remedy:
                "Find what slows PostgreSQL down: a busy disk or processor, other programs' queries, a lock. If it is only "
                + "slow, raise database.statement_timeout and database.work_timeout. If it is otherwise idle, report the "
                + "statement as a bug of Landfall.",
            command: ["landfall-server", "config"],
            evidence: statements.map { .init($0.key, .integer(Int64($0.value))) })
    }
}
