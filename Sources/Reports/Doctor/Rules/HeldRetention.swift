internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Days that maintenance keeps although the configuration would drop them, because dropping them may be a mistake.
enum HeldRetention: NoteDiagnosis {
    typealias Detail = RetentionHold

    static let subject = "retention"
    static let condition = DatabaseCondition.retentionHeld
    static let validity = RetentionHold.validity

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "nothing held back" : "held back")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.map { fact in
            let hold = fact.detail
            return Finding(
                .retentionHeld, .warning, sentence(fact),
                meaning: hold.reasons.map { meaning($0, hold) }.joined(separator: " "),
                remedy:
                    "If this is a mistake, correct LANDFALL_RETENTION_DAYS or the clock. If it is intended, "
                    + "'landfall maintain --shorten-retention' shows what would be dropped, and --apply "
                    + "drops it.",
                command: [
                    "landfall", "maintain", "--shorten-retention", "--retention-days", "\(hold.wantedDays)",
                ],
                evidence: [
                    .init("server", .string(fact.source)),
                    .init("reasons", .array(hold.reasons.map { .string($0.rawValue) })),
                    .init("days", .integer(hold.dayCount)),
                    .init("wanted_days", .integer(hold.wantedDays)),
                    .init("stored_days", .integer(hold.storedDays)),
                    .init("first_day", .optional(hold.firstDay?.rfc3339)),
                    .init("last_day", .optional(hold.lastDay?.rfc3339)),
                    .init("newest_day", .optional(hold.newestDay?.rfc3339)),
                ])
        }
    }

    private static func sentence(_ fact: NotedCondition<RetentionHold>) -> String {
        let (hold, server) = (fact.detail, fact.source.isEmpty ? "" : " of \(fact.source)")
        guard let first = hold.firstDay, let last = hold.lastDay else {
            return
                "The retention\(server) is \(hold.wantedDays) days, shorter than the stored retention of "
                + "\(hold.storedDays) days; the longer one applies."
        }
        return
            "Maintenance\(server) keeps \(Words.count(hold.dayCount, "day", "days")) of notifications that a "
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
