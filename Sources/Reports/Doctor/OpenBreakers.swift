internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Breakers that hold tokens back until somebody decides.
enum OpenBreakers: Diagnosis {
    static let subject = "breakers"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let environment: String
        let topic: String
        let openedAt: Instant
        let heldTokens: Int64
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let rows = try connection.query(
            .Tokens.listBreakers,
            [.value(examination.app.appID), .value(nil as String?), .value(nil as String?)])
        return try rows.map { row in
            Fact(
                environment: try row.get("environment"), topic: try row.get("topic"),
                openedAt: try row.get("opened_at"), heldTokens: try row.get("held_count"))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none open" : "\(facts.count) open")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        facts.map { fact in
            let topic = fact.topic.isEmpty ? "without a topic" : "topic \(fact.topic)"
            return Finding(
                .breakerOpen, .problem,
                "The breaker of \(fact.environment), \(topic) is open since \(Words.time(fact.openedAt)) and holds "
                    + "\(Words.count(fact.heldTokens, "token", "tokens")) back.",
                meaning:
                    "Answers of the provider would have retired too many tokens within ten minutes. Further ones are suspect "
                    + "now, and no answer retires any, until somebody decides.",
                remedy:
                    "When the answers were wrong (a wrong certificate, a wrong host, a slip of the provider): 'landfall tokens "
                    + "release'. When the tokens are dead indeed: 'landfall tokens confirm'. Both print a plan first.",
                command: examination.commandWithoutWindow(
                    "tokens", "release", options: fact.topic.isEmpty ? [] : ["--topic", fact.topic]),
                evidence: [
                    .init("environment", .string(fact.environment)), .init("topic", .string(fact.topic)),
                    .init("opened_at", .string(fact.openedAt.rfc3339)),
                    .init("tokens", .integer(fact.heldTokens)),
                ])
        }
    }
}
