internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Restarts of the private cluster within the last day, after its programs had been replaced.
enum RestartedCluster: Diagnosis {
    static let subject = "private cluster"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let restart: ClusterRestart
        let at: Instant
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try connection.conditions(.clusterRestarted, as: ClusterRestart.self)
            .filter { $0.age < .days(1) }.map { Fact(restart: $0.detail, at: $0.notedAt) }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "not restarted" : "restarted")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        facts.map { fact in
            Finding(
                .clusterRestarted, .warning,
                "The server restarted its private PostgreSQL at \(Words.time(fact.at)): its programs had "
                    + "been replaced while it was running, \(fact.restart.from) by \(fact.restart.to).",
                meaning:
                    "A package upgrade replaces the libraries of a running PostgreSQL, which then fails. For "
                    + "some seconds, requests got 503; senders that repeat them lost nothing.",
                remedy:
                    "Nothing. To choose the moment, stop landfall-server before the upgrade. This finding ends after a day.",
                command: ["landfall", "verify"],
                evidence: [
                    .init("at", .string(fact.at.rfc3339)), .init("from", .string(fact.restart.from)),
                    .init("to", .string(fact.restart.to)),
                ])
        }
    }
}
