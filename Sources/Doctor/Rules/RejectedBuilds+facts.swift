internal import DeliveryModel
internal import PostgresClient
internal import Reports

extension RejectedBuilds {
    /// The destination of pushes.
    struct Address: Hashable, Comparable, Decodable, Sendable {
        let provider: String
        let environment: String
        let topic: String

        /// `apns production, topic com.example.shop`.
        var name: String {
            "\(provider) \(environment), " + (topic.isEmpty ? "without a topic" : "topic \(topic)")
        }

        /// The options that select this address in other commands.
        var options: [String] {
            ["--environment", environment] + (topic.isEmpty ? [] : ["--topic", topic])
        }

        var json: [JSONValue.Member] {
            [
                .init("provider", .string(provider)), .init("environment", .string(environment)),
                .init("topic", .string(topic)),
            ]
        }

        static func < (left: Address, right: Address) -> Bool {
            (left.topic, left.environment, left.provider)
                < (right.topic, right.environment, right.provider)
        }
    }

    /// Pushes to one build at one address within an hour, with the rejected ones by class.
    struct Fact: Hashable, Sendable {
        /// All classes except failures of the provider (`ProviderOutage`) and dead tokens.
        static let classes: [RejectionClass] = [
            .tokenSuspect, .wrongTopic, .wrongEnvironment, .payloadError, .requestError, .authError, .unknown,
        ]

        let address: Address
        let build: AppBuild
        /// The start of the hour; `nil` for the whole week before.
        let hour: Instant?
        let attempted: Int64
        /// The rejections by class. `unknown` includes only pushes with a response.
        let rejections: [RejectionClass: Int64]

        func rejected(_ classes: [RejectionClass]) -> Proportion {
            Proportion(classes.reduce(0) { $0 + rejections[$1, default: 0] }, of: attempted)
        }
    }

    /// A response with which pushes to one build at one address were rejected within an hour.
    struct Responded: Hashable, Sendable {
        let address: Address
        let build: AppBuild
        /// The start of the hour.
        let hour: Instant
        let response: RejectedResponse
        let rejected: Int64
    }

    /// The key by which pushes are grouped.
    private struct Group: Hashable {
        let address: Address
        let build: AppBuild
        let hour: Instant?
    }

    struct Facts: Hashable, Sendable {
        var lately: [Fact] = []
        var before: [Fact] = []
        /// Recent ones only.
        var responses: [Responded] = []

        /// The most frequent response of these classes to these pushes, and to no others.
        func response(to pushes: [Fact], _ classes: [RejectionClass]) -> RejectedResponse? {
            let groups = Set(pushes.map { Group(address: $0.address, build: $0.build, hour: $0.hour) })
            var counts: [RejectedResponse: Int64] = [:]
            for responded in responses
            where classes.contains(responded.response.rejectionClass)
                && groups.contains(
                    Group(address: responded.address, build: responded.build, hour: responded.hour))
            { counts[responded.response, default: 0] += responded.rejected }
            return counts.max { ($0.value, $1.key.words) < ($1.value, $0.key.words) }?.key
        }
    }
}

extension Sequence<RejectedBuilds.Fact> {
    func rejected(_ classes: [RejectionClass]) -> Proportion { map { $0.rejected(classes) }.sum }

    /// All facts of an hour together.
    func byHour(_ classes: [RejectionClass]) -> [BadHours.Hour] {
        var shares: [Instant: Proportion] = [:]
        for fact in self {
            guard let hour = fact.hour else { continue }
            shares[hour, default: .nothing] = shares[hour, default: .nothing] + fact.rejected(classes)
        }
        return shares.map { .init(start: $0.key, share: $0.value) }
    }

    func within(_ hours: [Instant]) -> [RejectedBuilds.Fact] {
        let hours = Set(hours)
        return filter { fact in fact.hour.map { hours.contains($0) } ?? false }
    }
}

extension RejectedBuilds {
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let (app, span) = (PostgresParameter.value(examination.app.appID), examination.recent)
        let (from, to) = (PostgresParameter.value(span.lowerBound), PostgresParameter.value(span.upperBound))
        let counted = try connection.query(
            .Doctor.rejections, [app, .value(examination.weekBefore.lowerBound), from, to])
        let responded = try connection.query(
            .Doctor.rejectionResponses, [app, from, to, .array(Fact.classes.map(\.rawValue))])
        let facts = try counted.map { row in
            Fact(
                address: try row.decode(), build: try row.decode(), hour: try row.getOptional("hour"),
                attempted: try row.get("attempted"), rejections: try rejections(row))
        }
        return Facts(
            lately: facts.filter { $0.hour != nil }, before: facts.filter { $0.hour == nil },
            responses: try responded.map { row in
                Responded(
                    address: Address(
                        provider: try row.get("sent_through"), environment: try row.get("environment"),
                        topic: try row.get("topic")),
                    build: try row.decode(), hour: try row.get("hour"), response: try row.decode(),
                    rejected: try row.get("rejected"))
            })
    }

    private static func rejections(_ row: PostgresRow) throws(PostgresError) -> [RejectionClass: Int64] {
        var rejections: [RejectionClass: Int64] = [:]
        for rejection in Fact.classes { rejections[rejection] = try row.get(rejection.rawValue) }
        return rejections
    }
}
