internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Tokens that senders name under another topic, environment or provider than the app registered them under. Responses about them
/// say nothing about the registered token, and a second token of the same value appears.
enum MistakenAddresses: Diagnosis {
    static let subject = "addresses of tokens"

    struct Facts: Hashable {
        struct Mistake: Hashable {
            /// Provider, environment and topic.
            let posted: RefusedBuilds.Address
            let registered: RefusedBuilds.Address
            let tokens: Int64
        }

        /// The most tokens first.
        let mistakes: [Mistake]
        /// Pushes lately.
        let attempted: Int64
    }

    /// The newest unregistered tokens: of a sender whose app registers nothing there are millions.
    private static let mostLookedAt: Int64 = 10_000

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try connection.query(
            .Doctor.mistakenAddresses,
            [
                .value(examination.app.appID), .value(examination.recent.lowerBound),
                .value(mostLookedAt),
            ])
        return Facts(
            mistakes: try rows.compactMap { row in
                guard let provider: String = try row.getOptional("provider") else { return nil }
                return Facts.Mistake(
                    posted: RefusedBuilds.Address(
                        provider: provider, environment: try row.get("environment"),
                        topic: try row.get("topic")),
                    registered: RefusedBuilds.Address(
                        provider: try row.get("registered_provider"),
                        environment: try row.get("registered_environment"),
                        topic: try row.get("registered_topic")),
                    tokens: try row.get("tokens"))
            }, attempted: try rows.first?.get("attempted") ?? 0)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        let tokens = facts.mistakes.reduce(0) { $0 + $1.tokens }
        return facts.attempted == 0
            ? .nothing : .judged("\(Words.count(tokens, "token", "tokens")) under another address")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.mistakes.filter { $0.tokens >= examination.rules.mistakenTokens }.map { mistake in
            let (posted, registered) = (mistake.posted, mistake.registered)
            return Finding(
                .otherTopic, .warning,
                "Responses name \(Words.count(mistake.tokens, "token", "tokens")) under \(posted.name) that the app has "
                    + "registered under \(registered.name).",
                meaning:
                    "A token belongs to its provider, environment and topic: what these responses say does not reach "
                    + "the registered tokens, which may be dead and stay active, and each value is there twice.",
                remedy:
                    "Post the topic and environment that the push was sent with, and let the app register the same: the "
                    + "topic is the bundle id (with the suffix of the push type), the environment that of the build.",
                command: examination.command(
                    "funnel", options: ["--by", "topic,environment"]),
                evidence: [
                    .init("tokens", .integer(mistake.tokens)), .init("posted", .object(posted.json)),
                    .init("registered", .object(registered.json)),
                ])
        }
    }
}
