internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Requests that servers rejected with 429.
enum RateLimitedCallers: SingleDiagnosis {
    static let subject = "rate limits"
    static let isAboutTraffic = false

    /// The sum of all servers, each from its latest hour without rejections on.
    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> RateLimitedRequests {
        try connection.conditions(.rateLimited, as: RateLimitedRequests.self)
            .filter { $0.age < .days(1) }.reduce(RateLimitedRequests()) { $0 + $1.detail }
    }

    static func examined(_ facts: RateLimitedRequests, _ examination: Examination) -> Examined {
        .judged("\(Words.count(Int64(facts.total), "request", "requests")) got 429")
    }

    static func finding(_ facts: RateLimitedRequests, _ examination: Examination) -> Finding? {
        guard facts.total >= examination.rules.rateLimited else { return nil }
        let kinds = [
            (facts.device, "with a device key"), (facts.server, "with a server key"),
            (facts.report, "with a report key"), (facts.withoutKey, "without a valid key"),
        ].filter { $0.0 > 0 }.map { "\(Words.number(Int64($0.0))) \($0.1)" }
        return Finding(
            .rateLimited, .warning,
            "\(Words.count(Int64(facts.total), "request", "requests")) got 429 within the last day: "
                + "\(Words.list(kinds)).",
            meaning:
                "Some caller exceeds a limit. With a device key, an address posts many events that are about nothing known: "
                + "they are forged, or their sender posts its responses late or not at all.",
            remedy:
                "If a proxy passes the requests on, name it in limits.trusted_proxies: otherwise all clients share its "
                + "address. If the clients are your own, let the sender post its responses at once or sign receipts, or raise "
                + "the limit. Clients that repeat rejected requests lose nothing.",
            command: ["landfall-server", "config"],
            evidence: [
                .init("device", .integer(Int64(facts.device))),
                .init("server", .integer(Int64(facts.server))),
                .init("report", .integer(Int64(facts.report))),
                .init("without_key", .integer(Int64(facts.withoutKey))),
            ])
    }
}
