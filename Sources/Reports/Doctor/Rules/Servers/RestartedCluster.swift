internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Restarts of the private cluster within the last day, after its programs had been replaced.
enum RestartedCluster: NoteDiagnosis {
    typealias Detail = ClusterRestart

    static let subject = "private cluster"
    static let condition = DatabaseCondition.clusterRestarted

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "not restarted" : "restarted")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.map { fact in
            Finding(
                .clusterRestarted, .warning,
                "The server restarted its private PostgreSQL at \(Words.time(fact.notedAt)): its programs had "
                    + "been replaced while it was running, \(fact.detail.from) by \(fact.detail.to).",
                meaning:
                    "A package upgrade replaces the libraries of a running PostgreSQL, which then fails. For "
                    + "some seconds, requests got 503; senders that repeat them lost nothing.",
                remedy:
                    "Nothing. To choose the moment, stop landfall-server before the upgrade. This finding ends after a day.",
                command: ["landfall", "verify"],
                evidence: [
                    .init("at", .string(fact.notedAt.rfc3339)), .init("from", .string(fact.detail.from)),
                    .init("to", .string(fact.detail.to)),
                ])
        }
    }
}
