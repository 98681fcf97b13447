internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Servers whose clock differs from PostgreSQL's.
enum ServerClocks: NoteDiagnosis {
    typealias Detail = ClockDifference

    static let subject = "clocks"
    static let condition = DatabaseCondition.serverClock
    /// Servers repeat the note every minute. An older one is from a server that no longer runs.
    static let validity = Span.minutes(10)

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "servers and PostgreSQL agree" : "\(facts.count) off")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.map { fact in
            let seconds = fact.detail.seconds
            return Finding(
                .serverClock, .problem,
                "The clock of the server \(fact.source) is \(span(abs(seconds))) \(seconds > 0 ? "ahead of" : "behind") "
                    + "PostgreSQL's.",
                meaning:
                    "The server uses PostgreSQL's time instead of its own. If PostgreSQL's is the wrong one, events are rejected as "
                    + "too_old or in_future, and tokens get wrong times.",
                remedy: "Synchronize the clocks of both machines with NTP (timedatectl set-ntp true).",
                command: ["timedatectl", "status"],
                evidence: [
                    .init("server", .string(fact.source)), .init("ahead_seconds", .integer(seconds)),
                ])
        }
    }

    /// `3 minutes`, `600 days`.
    private static func span(_ seconds: Int64) -> String {
        if seconds >= 172_800 { return Words.count((seconds + 43_200) / 86_400, "day", "days") }
        if seconds >= 7_200 { return Words.count((seconds + 1_800) / 3_600, "hour", "hours") }
        return Words.count((seconds + 30) / 60, "minute", "minutes")
    }
}
