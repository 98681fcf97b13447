internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Servers do maintenance every hour. What they leave behind when they do not: counters that nobody folded.
enum OverdueMaintenance: Diagnosis {
    static let subject = "maintenance"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let unfoldedQuarters: Int64
        let oldest: Instant?
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact {
        let before = (examination.asOf - .days(examination.rules.unfoldedDays)).startOfQuarter
        let rows = try connection.query(
            .Doctor.unfoldedQuarters, [.value(examination.app.appID), .value(before)])
        return Fact(
            unfoldedQuarters: try rows.first?.get("quarters") ?? 0,
            oldest: try rows.first?.getOptional("oldest"))
    }

    static func examined(_ fact: Fact, _ examination: Examination) -> Examined {
        .judged("\(Words.count(fact.unfoldedQuarters, "quarter hour", "quarter hours")) left to fold")
    }

    static func findings(_ fact: Fact, _ examination: Examination) -> [Finding] {
        guard fact.unfoldedQuarters > examination.rules.unfoldedQuarters else { return [] }
        let since = fact.oldest.map { ", the oldest of \(Words.time($0))" } ?? ""
        return [
            Finding(
                .maintenanceOverdue, .warning,
                "Counters of \(Words.number(fact.unfoldedQuarters)) quarter hours that are older than "
                    + "\(examination.rules.unfoldedDays) days are not folded\(since).",
                meaning:
                    "Nobody does maintenance: neither partitions for the days to come are made, nor old days dropped, and "
                    + "reports get slower. (After a great import of old events this passes within the hour.)",
                remedy: "landfall-server does it every hour while it runs, 'landfall maintain' at once.",
                command: ["landfall", "maintain"],
                evidence: [
                    .init("unfolded_quarters", .integer(fact.unfoldedQuarters)),
                    .init("oldest", .optional(fact.oldest?.rfc3339)),
                ])
        ]
    }
}
