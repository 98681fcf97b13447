internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Servers that closed connections because too many of one address had a request in progress.
enum CrowdedServers: NoteDiagnosis {
    typealias Detail = CrowdedAddresses

    static let subject = "connections"
    static let condition = DatabaseCondition.crowdedAddress
    /// Servers repeat the note every half minute while it lasts.
    static let validity = Span.minutes(10)

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "within the limits" : "too many from one address")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        facts.map { fact in
            Finding(
                .crowdedAddress, .warning,
                "The server \(fact.source) closed \(Words.count(fact.detail.closed, "connection", "connections")) within half a minute, "
                    + "because their address already had too many with a request in progress.",
                meaning:
                    "Either a client floods the server, which the limit bounds, or a proxy is not listed as trusted: then all "
                    + "of its clients share one limit, and honest ones are turned away.",
                remedy:
                    "Name your proxies in limits.trusted_proxies. If many devices share an address without a proxy, raise "
                    + "limits.connections_per_address.",
                command: ["landfall-server", "config"],
                evidence: [
                    .init("server", .string(fact.source)), .init("closed", .integer(fact.detail.closed)),
                ])
        }
    }
}
