import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import TokenLifecycle
import Vault

/// Devices that register, a sender that posts provider responses, and the resulting tokens. Times are spans
/// before now.
struct TokenStory {
    static let topic = "com.example.shop"

    let now = Instant.now
    let vault = TokenVault(.random())
    private let database = TestDatabase.current

    struct Push: Sendable {
        var value: String
        var status = 200
        var reason: String?
        /// The time since the token died, according to APNs.
        var died: Span?
        /// The time since the push was sent.
        var sent: Span
    }

    /// Registers a token; the server learns of it at once or, dated back, later.
    func register(
        _ value: String, on device: UUID, _ ago: Span, told: Span? = nil,
        environment: Environment = .production, appVersion: String = "7.1.0"
    ) async throws {
        var registration = Registration(deviceID: device, registeredAt: now - ago)
        registration.appVersion = appVersion
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: environment, topic: Self.topic, kind: .alert, value: value)
        ]
        let posted = registration
        let told = now - (told ?? ago)
        try await database.pool.withTransaction { [vault] connection in
            _ = try DeviceRegistry(vault: vault).register(posted, appID: firstApp, now: told, on: connection)
        }
    }

    /// Posts the responses, in one batch with current device events about other pushes.
    func post(
        _ pushes: [Push], environment: Environment = .production, besides phones: [UUID] = []
    ) async throws {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "test")
        )
        let items = pushes.map { push in
            var response = ProviderResponse(provider: "apns", status: push.status)
            response.reason = push.reason
            response.facts.invalidSince = push.died.map { now - $0 }
            response.environment = environment
            response.topic = Self.topic
            response.target = .token(
                TokenAddress(
                    provider: "apns", environment: environment, topic: Self.topic, kind: .alert,
                    value: push.value))
            let event = Event(notificationID: UUID(), sentAt: now - push.sent, content: .response(response))
            return BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
        }
        let arrivals = phones.map { phone in
            var report = DeviceReport(kind: .arrival)
            report.deviceID = phone
            let event = Event(notificationID: UUID(), sentAt: now, content: .device(report))
            return BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
        }
        _ = try await writer.write(items + arrivals)
    }

    /// The state and cause of one value: `active`, `retired/unregistered`, …
    func state(_ value: String, _ environment: Environment = .production) async throws -> String? {
        try await database.query(
            """
            SELECT state || coalesce('/' || cause, '') FROM landfall.token
            WHERE fingerprint = $1 AND environment = $2
            """, [.value(vault.fingerprint(of: value)), .value(environment.rawValue)]
        ) { try $0.get(0, as: String.self) }.first
    }

    /// The rules in the ledger of one value, oldest first.
    func rules(_ value: String, _ environment: Environment = .production) async throws -> [String] {
        try await ledger(value, environment).map(\.rule)
    }

    func evidence(_ value: String, _ environment: Environment = .production) async throws -> [ReadEvidence] {
        try await ledger(value, environment).map(\.evidence)
    }

    private func ledger(
        _ value: String, _ environment: Environment
    ) async throws -> [(rule: String, evidence: ReadEvidence)] {
        try await database.query(
            """
            SELECT rule, evidence::text FROM landfall.token_transition JOIN landfall.token USING (token_id)
            WHERE fingerprint = $1 AND environment = $2 ORDER BY transition_id
            """, [.value(vault.fingerprint(of: value)), .value(environment.rawValue)]
        ) { row in
            let json: String = try row.get(1)
            return (
                try row.get(0, as: String.self),
                try JSONDecoder().decode(ReadEvidence.self, from: Data(json.utf8))
            )
        }
    }

    /// The number of tokens in each state, such as `active:3`.
    func census() async throws -> [String] {
        try await database.query(
            """
            SELECT state || coalesce('/' || cause, '') || ':' || count(*) AS line FROM landfall.token
            GROUP BY state, cause ORDER BY line
            """
        ) { try $0.get(0, as: String.self) }
    }

    func onConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await database.pool.withConnection { try body($0) }
    }
}

/// The evidence of a response in the ledger, by the names in its JSON.
struct ReadEvidence: Decodable {
    let provider: String?
    let status: Int?
    let reason: String?
    let invalidSince: Instant?
    let sentAt: Instant?
    let registeredAt: Instant?
    let environment: EnvironmentEvidence?
    let environmentVerdict: EnvironmentVerdict?

    private enum CodingKeys: String, CodingKey {
        case provider, status, reason, environment
        case invalidSince = "invalid_since"
        case sentAt = "sent_at"
        case registeredAt = "registered_at"
        case environmentVerdict = "environment_verdict"
    }
}
