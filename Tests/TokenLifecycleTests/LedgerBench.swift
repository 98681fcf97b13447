import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import TokenLifecycle
import Vault

/// Tokens of one app and topic, and responses about them, for tests of the ledger.
struct LedgerBench {
    static let topic = "com.example.shop"

    let vault = TokenVault(.random())
    let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let pool = TestDatabase.current.pool

    var ledger: TokenLedger { TokenLedger(vault: vault) }

    func makeApp(settings: String = "{}") async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at, settings) VALUES ('shop', now(), $1::text::jsonb)",
            [.value(settings)])
    }

    /// Tokens that only a sender knows, in the order of the numbers.
    func tokens(
        _ numbers: Range<Int>, _ environment: Environment = .production, topic: String = LedgerBench.topic
    ) async throws -> [Token] {
        let addresses = numbers.map { number in
            AppTokenAddress(
                appID: firstApp,
                address: TokenAddress(
                    provider: "apns", environment: environment, topic: topic, kind: .alert,
                    value: String(format: "%08x", number)))
        }
        return try await pool.withTransaction { [ledger, now] connection in
            try ledger.resolve(addresses, now: now, on: connection).compactMap(\.?.token)
        }
    }

    /// The same, each accepted two days ago, which a breaker requires.
    func acceptedTokens(
        _ numbers: Range<Int>, _ environment: Environment = .production, topic: String = LedgerBench.topic
    ) async throws -> [Token] {
        let sentAt = now - .days(2)
        try await response(
            Self.acceptance, about: tokens(numbers, environment, topic: topic), sentAt: sentAt, at: sentAt,
            environment: environment, topic: topic)
        return try await tokens(numbers, environment, topic: topic)
    }

    /// Posts one response about each token, in one batch.
    func response(
        _ outcome: ResponseOutcome, about tokens: [Token], sentAt: Instant? = nil, at instant: Instant? = nil,
        environment: Environment = .production, topic: String = LedgerBench.topic, shard: Int16 = 0
    ) async throws {
        let responses = tokens.map { token in
            TokenResponse(
                appID: firstApp, token: token,
                evidence: TokenEvidence(
                    outcome: outcome, provider: "apns", status: 410, reason: "Unregistered",
                    sentAt: sentAt ?? now, invalidSince: nil),
                environment: environment, topic: topic)
        }
        let instant = instant ?? now
        try await pool.withTransaction(attempts: 9) { [ledger] connection in
            try ledger.apply(responses, now: instant, shard: shard, on: connection)
        }
    }

    static let death = ResponseOutcome(.rejected(.tokenDead), .invalidateIfNotReregistered)
    static let suspicion = ResponseOutcome(.rejected(.tokenSuspect), .suspect)
    static let acceptance = ResponseOutcome(.accepted, .keep)

    /// The tokens by state and cause: `active:3`, `suspect/breaker:2`, in alphabetical order.
    func states() async throws -> [String] {
        try await TestDatabase.current.query(
            """
            SELECT state || coalesce('/' || cause, '') || ':' || count(*) AS line FROM landfall.token
            GROUP BY state, cause ORDER BY line
            """
        ) { try $0.get(0, as: String.self) }
    }

    func rules(of token: Token) async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT rule FROM landfall.token_transition WHERE token_id = $1 ORDER BY transition_id",
            [.value(token.tokenID)]
        ) { try $0.get(0, as: String.self) }
    }

    func lastEvidence(of token: Token) async throws -> ReadEvidence? {
        try await TestDatabase.current.query(
            """
            SELECT evidence::text FROM landfall.token_transition WHERE token_id = $1
            ORDER BY transition_id DESC LIMIT 1
            """, [.value(token.tokenID)]
        ) { try ReadEvidence(json: $0.get(0)) }.first
    }

    func onConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await pool.withConnection { try body($0) }
    }
}

extension [Token] {
    /// The order in which rules judge the tokens of a batch; the key of the fingerprints determines it.
    var asJudged: [Token] { sorted { $0.tokenID < $1.tokenID } }
}

/// The evidence of a row of the ledger, by the names in its JSON. The rules' own is first, in the order of
/// `LedgerEvidence`.
struct ReadEvidence: Codable, Equatable {
    var provider: String?
    var status: Int?
    var reason: String?
    var invalidSince: Instant?
    var sentAt: Instant?
    var registeredAt: Instant?
    var acceptedAt: Instant?
    var firstRejectedAt: Instant?
    var knownInOtherEnvironment: Bool?
    var environment: EnvironmentEvidence?
    var environmentVerdict: EnvironmentVerdict?
    var breaker: BreakerCounts?
    var successorTokenID: Int64?
    var fromInstallationID: Int64?
    var toInstallationID: Int64?
    var source: String?
    var undoneRule: String?

    enum CodingKeys: String, CodingKey {
        case provider, status, reason, environment, breaker, source
        case invalidSince = "invalid_since"
        case sentAt = "sent_at"
        case registeredAt = "registered_at"
        case acceptedAt = "accepted_at"
        case firstRejectedAt = "first_rejected_at"
        case knownInOtherEnvironment = "known_in_other_environment"
        case environmentVerdict = "environment_verdict"
        case undoneRule = "undone_rule"
        case successorTokenID = "successor_token_id"
        case fromInstallationID = "from_installation_id"
        case toInstallationID = "to_installation_id"
    }
}

extension ReadEvidence {
    init(json: String) throws {
        self = try JSONDecoder().decode(ReadEvidence.self, from: Data(json.utf8))
    }
}
