import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite(.database) struct TokenLedgerTests {
    private let ledger = TokenLedger(vault: TokenVault(.random()))
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let address = AppTokenAddress(
        appID: firstApp,
        address: TokenAddress(
            provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert, value: "aa"))

    private func resolve() async throws -> Token {
        let found = try await TestDatabase.current.pool.withConnection { connection in
            try ledger.resolve([address], now: now, on: connection)
        }
        return try #require(found.first??.token)
    }

    private func apply(_ outcome: ResponseOutcome, to token: Token, sentAt: Instant) async throws {
        let evidence = TokenEvidence(
            outcome: outcome, provider: "apns", status: 0, reason: nil, sentAt: sentAt, invalidSince: nil)
        try await TestDatabase.current.pool.withTransaction { connection in
            try ledger.apply(
                [TokenResponse(appID: firstApp, token: token, evidence: evidence)], now: now, on: connection)
        }
    }

    @Test("a response judged by an older reading does not undo what another writer wrote since")
    func compareAndSet() async throws {
        let stale = try await resolve()
        try await apply(ResponseOutcome(.accepted, .keep), to: stale, sentAt: now - .hours(3))
        try await apply(
            ResponseOutcome(.rejected(.tokenSuspect), .suspect), to: stale, sentAt: now - .hours(2))
        let token = try await resolve()
        #expect(token.state == .suspect)
        #expect(token.lastAcceptedAt == now - .hours(3))
        try await apply(ResponseOutcome(.rejected(.tokenSuspect), .suspect), to: stale, sentAt: now)
        #expect(try await resolve().state == .suspect)
    }

    @Test("a value that one batch names with and without its topic becomes one token")
    func oneTokenOfTwoNames() async throws {
        var brief = address
        brief.address.topic = ""
        let asked = [brief, address, brief]
        let found = try await TestDatabase.current.pool.withConnection { connection in
            try ledger.resolve(asked, now: now, on: connection)
        }
        #expect(Set(found.map { $0?.token?.tokenID }).count == 1)
        #expect(found.map { $0?.place?.topic } == Array(repeating: "com.example.shop", count: 3))
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 1)
    }

    @Test("the same value in the other environment keeps a rejected token from being retired")
    func otherEnvironment() async throws {
        let token = try await resolve()
        try await apply(
            ResponseOutcome(.rejected(.tokenSuspect), .suspect), to: token, sentAt: now - .hours(5))
        let suspect = try await resolve()
        #expect(suspect.state == .suspect)
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, state, first_seen_at,
                                        last_registered_at, last_sign_of_life_at, state_changed_at)
            SELECT app_id, provider, 'sandbox', topic, fingerprint, kind, 'active', first_seen_at, first_seen_at,
                   first_seen_at, first_seen_at
            FROM landfall.token
            """)
        try await apply(ResponseOutcome(.rejected(.tokenSuspect), .suspect), to: suspect, sentAt: now)
        #expect(try await resolve().state == .suspect)
    }
}
