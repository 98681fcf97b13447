internal import Access
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Servers run maintenance every hour. If they do not, counters of past hours stay unfolded. Events
/// of the past, such as those of an import, leave some too, but only since they came in: what
/// counts is how long the work has been due, not how old the days are.
enum OverdueMaintenance: SingleDiagnosis {
    static let subject = "maintenance"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let unfoldedQuarters: Int64
        let oldest: Instant?
        /// The end of the last complete maintenance run; before the first one, the creation of the
        /// database. Whatever is left to fold came in later.
        let maintainedAt: Instant
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact {
        let before = (examination.asOf - .hours(examination.rules.foldedAfterHours)).startOfQuarter
        let row = try connection.query(
            .Doctor.unfoldedQuarters, [.value(examination.app.appID), .value(before)]
        ).single()
        let maintained = try row.getOptional("maintained_at", as: Instant.self)
        return Fact(
            unfoldedQuarters: try row.get("quarters"), oldest: try row.getOptional("oldest"),
            maintainedAt: try maintained ?? row.get("created_at"))
    }

    static func examined(_ fact: Fact, _ examination: Examination) -> Examined {
        .judged("\(Words.count(fact.unfoldedQuarters, "quarter hour", "quarter hours")) left to fold")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard fact.unfoldedQuarters > rules.unfoldedQuarters, let oldest = fact.oldest else { return nil }
        let dueSince = max(oldest + .hours(rules.foldedAfterHours), fact.maintainedAt)
        guard examination.asOf - dueSince > .days(rules.maintenanceDays) else { return nil }
        return Finding(
            .maintenanceOverdue, .warning,
            "Counters of \(Words.number(fact.unfoldedQuarters)) quarter hours are not folded, although this has been due since "
                + "\(Words.time(dueSince)).",
            meaning:
                "Maintenance is not running: no partitions are created for future days, old days are not "
                + "dropped, and reports become slower.",
            remedy: "landfall-server runs maintenance every hour, 'landfall maintain' runs it at once.",
            command: ["landfall", "maintain"],
            evidence: [
                .init("unfolded_quarters", .integer(fact.unfoldedQuarters)),
                .init("oldest", .string(oldest.rfc3339)),
                .init("due_since", .string(dueSince.rfc3339)),
            ])
    }
}
