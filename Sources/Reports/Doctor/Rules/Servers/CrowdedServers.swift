internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Servers that closed connections because too many of one address had a request in progress.
enum CrowdedServers: Diagnosis {
    static let subject = "connections"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        /// `host:port`.
        let server: String
        let closed: Int64
    }

    /// Servers repeat the note every half minute while it lasts.
    private static let validity = Span.minutes(10)

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try connection.conditions(.crowdedAddress, as: CrowdedAddresses.self)
            .filter { $0.age < validity }.map { Fact(server: $0.source, closed: $0.detail.closed) }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "within the limits" : "too many from one address")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        facts.map { fact in
            Finding(
                .crowdedAddress, .warning,
                "The server \(fact.server) closed \(Words.count(fact.closed, "connection", "connections")) within half a minute, "
                    + "because their address already had too many with a request in progress.",
                meaning:
                    "Either a client floods the server, which the limit bounds, or a proxy is not listed as trusted: then all "
                    + "of its clients share one limit, and honest ones are turned away.",
                remedy:
                    "Name your proxies in limits.trusted_proxies. If many devices share an address without a proxy, raise "
                    + "limits.connections_per_address.",
                command: ["landfall-server", "config"],
                evidence: [.init("server", .string(fact.server)), .init("closed", .integer(fact.closed))])
        }
    }
}
