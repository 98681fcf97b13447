package import DeliveryModel
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
            "Servers of this database respond to events and registrations with 503, and /readyz "
                + "returns 503. Senders and devices that repeat what got 503 lose nothing.",
            trouble.remedy, command: ["psql", "-c", "SELECT pg_is_in_recovery()"],
            evidence: [.init("reason", .string(trouble.name))])
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}

/// Checks whether PostgreSQL keeps commits if the machine crashes. About the whole database, not an app.
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
        return try ["fsync", "full_page_writes"].map { Fact(setting: $0, value: try row.get($0)) }
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
            "If the machine crashes, data that got a 2xx can be lost, and the whole database with it.",
            "Turn them on in postgresql.conf (docs/durability.md).",
            command: ["psql", "-c", "SHOW \(facts.first { $0.value == "off" }?.setting ?? "fsync")"],
            evidence: facts.map { .init($0.setting, .string($0.value)) })
    }
}

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
        let slow = Words.count(Int64(facts.total), "statement")
        return .judged(facts.total == 0 ? "in time" : "\(slow) took too long")
    }

    static func finding(_ facts: SlowStatementCounts, _ examination: Examination) -> Finding? {
        guard facts.total > 0 else { return nil }
        let statements = facts.byStatement.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Finding(
            .slowStatements, .warning,
            "\(Words.count(Int64(facts.total), "statement")) took longer than "
                + "database.statement_timeout within the last day: "
                + Words.list(statements.map { "\($0.key) (\(Words.number(Int64($0.value))))" }) + ".",
            "Batches of events are then written in halves, which takes longer but loses nothing. Other "
                + "requests got 503 statement_timeout, and their clients repeat them.",
            "Find what slows PostgreSQL down: a busy disk or processor, other programs' queries, a lock. If "
                + "it is only slow, raise database.statement_timeout and database.work_timeout. If it is "
                + "otherwise idle, report the statement as a bug of Landfall.",
            command: ["landfall-server", "config"],
            evidence: statements.map { .init($0.key, .integer(Int64($0.value))) })
    }
}

/// Restarts of the private cluster within the last day, after its programs had been replaced.
enum RestartedCluster: NoteDiagnosis {
    typealias Detail = ClusterRestart

    static let subject = "private cluster"
    static let condition = DatabaseCondition.clusterRestarted

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "not restarted" : "restarted")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        Finding(
            .clusterRestarted, .warning,
            "The server restarted its private PostgreSQL at \(Words.time(fact.notedAt)): its programs "
                + "had been replaced while it was running, \(fact.detail.from) by \(fact.detail.to).",
            "A package upgrade replaces the libraries of a running PostgreSQL, which then fails. For "
                + "some seconds, requests got 503; senders that repeat them lost nothing.",
            "Nothing. To choose the moment, stop landfall-server before the upgrade. This finding ends after a day.",
            command: ["landfall", "verify"],
            evidence: [
                .init("at", .string(fact.notedAt.rfc3339)), .init("from", .string(fact.detail.from)),
                .init("to", .string(fact.detail.to)),
            ])
    }
}

/// Days that maintenance keeps although the configuration would drop them, in case that is a mistake.
enum HeldRetention: NoteDiagnosis {
    typealias Detail = RetentionHold

    static let subject = "retention"
    static let condition = DatabaseCondition.retentionHeld
    static let validity = RetentionHold.validity

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "nothing held back" : "held back")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        let hold = fact.detail
        return Finding(
            .retentionHeld, .warning, sentence(fact),
            hold.reasons.map { meaning($0, hold) }.joined(separator: " "),
            "If this is a mistake, correct LANDFALL_RETENTION_DAYS or the clock. If it is intended, "
                + "'landfall maintain --shorten-retention' shows what would be dropped, and --apply "
                + "drops it.",
            command: [
                "landfall", "maintain", "--shorten-retention", "--retention-days", "\(hold.wantedDays)",
            ],
            evidence: [
                .init("server", .string(fact.source)),
                .init("reasons", hold.reasons) { .string($0.rawValue) },
                .init("days", .integer(hold.dayCount)), .init("wanted_days", .integer(hold.wantedDays)),
                .init("stored_days", .integer(hold.storedDays)),
                .init("first_day", .optional(hold.firstDay?.rfc3339)),
                .init("last_day", .optional(hold.lastDay?.rfc3339)),
                .init("newest_day", .optional(hold.newestDay?.rfc3339)),
            ])
    }

    private static func sentence(_ fact: NotedCondition<RetentionHold>) -> String {
        let (hold, server) = (fact.detail, fact.source.isEmpty ? "" : " of \(fact.source)")
        guard let first = hold.firstDay, let last = hold.lastDay else {
            return
                "The retention\(server) is \(hold.wantedDays) days, shorter than the stored retention of "
                + "\(hold.storedDays) days; the longer one applies."
        }
        return
            "Maintenance\(server) keeps \(Words.count(hold.dayCount, "day")) of notifications that a "
            + "retention of \(hold.wantedDays) days would drop, \(date(first)) to \(date(last))."
    }

    private static func meaning(_ reason: RetentionHold.Reason, _ hold: RetentionHold) -> String {
        switch reason {
        case .shorterRetention:
            "The stored retention is \(hold.storedDays) days; an operator has to confirm a shorter one."
        case .manyDays:
            "More days are due at once than the 7 that maintenance drops by itself: it was off for a long "
                + "time, or a clock or a setting is wrong."
        case .oldNotifications:
            "The newest notification is of \(hold.newestDay.map(date) ?? "no day"): either none has been "
                + "sent since, or PostgreSQL's clock is wrong."
        }
    }

    private static func date(_ day: Instant) -> String { LocalTime(day, utcOffsetMinutes: 0).date }
}

/// Sequences that have used most of the ids of their cell. Nothing while there is only one cell.
enum UsedIDs: SingleDiagnosis {
    static let subject = "ids of the cell"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        /// The sequence.
        let name: String
        /// The used share of its ids.
        let share: Double
    }

    /// The sequence that has used most.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact? {
        try connection.query(.Access.idUse).first?.decode(Fact.self)
    }

    static func examined(_ fact: Fact?, _ examination: Examination) -> Examined {
        fact.map { .judged("at most \(Words.percent($0.share)) % used") } ?? .nothing
    }

    static func finding(_ fact: Fact?, _ examination: Examination) -> Finding? {
        guard let fact, fact.share >= examination.rules.usedIDs else { return nil }
        return Finding(
            .idsUsed, .warning,
            "The sequence \(fact.name) has used \(Words.percent(fact.share)) % of the ids of this cell.",
            "Once all are used, no row can be added that needs a new one.",
            "Create further apps in another cell, and move large ones there (landfall app move).",
            command: ["landfall", "cell", "status"],
            evidence: [.init("sequence", .string(fact.name)), .init("share", .number(fact.share))])
    }
}

/// Moves of apps to other cells that have not ended for an hour, or were not confirmed for a day.
enum UnfinishedMoves: EachDiagnosis {
    static let subject = "moves of apps"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        let slug: String
        let state: String
        let cell: Int32
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try connection.query(.Moving.unfinishedMoves).decode()
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        facts.isEmpty ? .nothing : .judged("\(facts.count) not ended")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        let isCopy = ["copying", "arriving"].contains(fact.state)
        return Finding(
            .moveUnfinished, fact.state == "leaving" ? .problem : .warning,
            "The move of the app \(fact.slug) \(isCopy ? "from" : "to") cell \(fact.cell) "
                + "has not ended: its state here is \(fact.state).",
            "While an app is leaving, its posts get 503. Rows of an app that has left, and copies of a move "
                + "that has not ended, keep what is erased in the app's cell.",
            "Repeat landfall app move with --apply, or with --abort; once the app has left, with --confirm.",
            command: ["landfall", "app", "list"],
            evidence: [.init("app", .string(fact.slug)), .init("state", .string(fact.state))])
    }
}

extension DoctorReport.Patient {
    /// A cell that cannot be examined.
    package init(unavailable cell: CellNumber, reason: String) {
        let finding = Finding(
            .cellUnavailable, .problem,
            "Cell \(cell) cannot be examined: \(reason)\(reason.hasSuffix(".") ? "" : ".")",
            "While its database cannot be reached, requests about its apps get 503; those of other cells work.",
            "Check the database, its URL in database.cells, and the network.",
            command: ["landfall", "cell", "status"], evidence: [.init("reason", .string(reason))])
        let examined = Examined.judged("not available")
        self.init(
            app: nil,
            checkups: [
                .init(subject: "database", isAboutTraffic: false, examined: examined, findings: [finding])
            ], cell: cell)
    }
}
