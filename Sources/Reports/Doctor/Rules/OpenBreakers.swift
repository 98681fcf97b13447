internal import Access
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Breakers that hold tokens back until an operator decides.
enum OpenBreakers: Diagnosis {
    static let subject = "breakers"
    static let isAboutTraffic = false

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> [TokenHealth.Breaker] {
        try TokenHealth.Breaker.all(of: examination.app, on: connection)
    }

    static func examined(_ facts: [TokenHealth.Breaker], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none open" : "\(facts.count) open")
    }

    static func findings(_ facts: [TokenHealth.Breaker], _ examination: Examination) -> [Finding] {
        facts.map { fact in
            let topic = fact.topic.isEmpty ? "without a topic" : "topic \(fact.topic)"
            return Finding(
                .breakerOpen, .problem,
                "The breaker for \(fact.environment), \(topic), has been open since "
                    + "\(Words.time(fact.openedAt)) and holds back "
                    + "\(Words.count(fact.heldTokens, "token", "tokens")).",
                meaning:
                    "Responses took too many tokens out of use within ten minutes. Further tokens become "
                    + "suspect instead of retired until an operator decides.",
                remedy:
                    "If the responses were wrong (a wrong certificate, a wrong host, an error of the "
                    + "provider), run 'landfall tokens release'. If the tokens really are dead, run "
                    + "'landfall tokens confirm'. Both print a plan first.",
                command: examination.commandWithoutWindow(
                    // Passed even if it is empty: '' selects the tokens whose topic is unknown, and
                    // no option selects all of them.
                    "tokens", "release", options: ["--environment", fact.environment, "--topic", fact.topic]),
                evidence: [
                    .init("environment", .string(fact.environment)), .init("topic", .string(fact.topic)),
                    .init("opened_at", .string(fact.openedAt.rfc3339)),
                    .init("tokens", .integer(fact.heldTokens)),
                ])
        }
    }
}
