internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Tokens that senders post under another topic, environment or provider than the app registered them under,
/// and pushes for another kind of token than the app registers there. What APNs says under another
/// environment or bundle id does not change the registered token.
enum MistakenAddresses: Diagnosis {
    static let subject = "addresses of tokens"

    struct Facts: Hashable {
        struct Mistake: Hashable {
            /// Provider, environment and topic.
            let posted: RejectedBuilds.Address
            let registered: RejectedBuilds.Address
            let tokens: Int64
        }

        struct MistakenKind: Hashable, Decodable {
            let address: RejectedBuilds.Address
            let pushType: String
            let attempted: Int64
            /// The kind that the app registers there.
            let kind: String
        }

        /// The most tokens first.
        let mistakes: [Mistake]
        /// The most pushes first.
        var kinds: [MistakenKind] = []
        /// Recent pushes.
        let attempted: Int64
    }

    /// Only the newest tokens are checked: if an app registers nothing there, its sender has millions.
    private static let mostLookedAt: Int64 = 10_000

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let parameters: [PostgresParameter] = [
            .value(examination.app.appID), .value(examination.recent.lowerBound), .value(mostLookedAt),
        ]
        let rows = try connection.query(.Doctor.mistakenAddresses, parameters)
        let mistakes = try rows.filter { try !$0.isNull("provider") }.map { row in
            Facts.Mistake(
                posted: try row.decode(),
                registered: RejectedBuilds.Address(
                    provider: try row.get("registered_provider"),
                    environment: try row.get("registered_environment"),
                    topic: try row.get("registered_topic")),
                tokens: try row.get("tokens"))
        }
        return Facts(
            mistakes: mistakes, kinds: try connection.query(.Doctor.mistakenKinds, parameters).decode(),
            attempted: try rows.first?.get("attempted") ?? 0)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts.attempted > 0 else { return .nothing }
        return .judged("\(Words.count(facts.mistakes.total(\.tokens), "token")) under another address")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        addressFindings(facts, examination) + kindFindings(facts, examination)
    }

    private static func kindFindings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.kinds.map { mistake in
            Finding(
                .otherTopic, .warning,
                "\(Words.count(mistake.attempted, "push", "pushes")) of type \(mistake.pushType) went to "
                    + "\(mistake.address.name), where the app registers only tokens of kind \(mistake.kind).",
                "Each push type has its own tokens: APNs rejects others, or the device never shows the "
                    + "push. These responses are recorded for tokens of another kind.",
                "Post the push_type and the topic that the push was sent with, and let the app register its "
                    + "tokens of that kind.",
                command: examination.command("funnel", options: ["--by", "topic,push_type"]),
                evidence: [
                    .init("attempted", .integer(mistake.attempted)),
                    .init("push_type", .string(mistake.pushType)),
                    .init("posted", .object(mistake.address.json)),
                    .init("registered_kind", .string(mistake.kind)),
                ])
        }
    }

    private static func addressFindings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.mistakes.filter { $0.tokens >= examination.rules.mistakenTokens }.map { mistake in
            let (posted, registered) = (mistake.posted, mistake.registered)
            return Finding(
                .otherTopic, .warning,
                "Responses name \(Words.count(mistake.tokens, "token")) under \(posted.name) that "
                    + "the app has registered under \(registered.name).",
                "An APNs token is valid in one environment and for one bundle id. A response under another one is kept with "
                    + "the registered token and does not change it, so a dead token may remain active.",
                "Post the topic and environment that the push was sent with, and let the app register "
                    + "the same: the topic is the bundle id (with the suffix of the push type), and the "
                    + "environment is that of the build.",
                command: examination.command(
                    "funnel", options: ["--by", "topic,environment"]),
                evidence: [
                    .init("tokens", .integer(mistake.tokens)), .init("posted", .object(posted.json)),
                    .init("registered", .object(registered.json)),
                ])
        }
    }
}
