import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite(.database) struct ExpirySweepTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    private func register(_ kind: TokenKind, expiresAt: Instant?) async throws {
        let registry = DeviceRegistry(vault: TokenVault(.random()))
        let address = TokenAddress(
            provider: kind.provider, environment: .production, topic: "com.example.shop", kind: kind,
            value: "aa\(Int.random(in: 10...99))")
        let now = now
        try await TestDatabase.current.pool.withTransaction { connection in
            var registration = Registration(deviceID: UUID(), registeredAt: now - .days(1))
            registration.tokens = [address]
            registration.expirations[address] = expiresAt
            _ = try registry.register(registration, appID: firstApp, now: now - .days(1), on: connection)
        }
    }

    @Test("a sweep retires expired tokens, with a rule of its own, and nothing else")
    func sweep() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await register(.liveActivityUpdate, expiresAt: now - .hours(1))
        try await register(.liveActivityUpdate, expiresAt: now)
        try await register(.liveActivityUpdate, expiresAt: now + .hours(1))
        try await register(.alert, expiresAt: nil)
        let now = now
        let (plan, result, again) = try await TestDatabase.current.pool.withConnection { connection in
            let sweep = Sweep(appID: firstApp, on: connection)
            let plan = try sweep.plan(SweepRules(), now: now)
            let result = try sweep.apply(SweepRules(), now: now)
            return (plan, result, try sweep.plan(SweepRules(), now: now))
        }
        #expect(plan.expiredCount == 2)
        #expect(plan.groups.isEmpty)
        #expect(result.expiredCount == 2)
        #expect(again.expiredCount == 0)
        let states = try await TestDatabase.current.query(
            "SELECT state || coalesce('/' || cause, '') || '/' || (sealed_value IS NULL) FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
        #expect(states == ["retired/expired/true", "retired/expired/true", "active/false", "active/false"])
        let ledger = """
            SELECT count(*) FROM landfall.token_transition
            WHERE rule = 'expired' AND run_id IS NOT NULL AND evidence ? 'expired_at'
            """
        #expect(try await TestDatabase.current.count(ledger) == 2)
    }

    @Test("an expired token counts in no share of a sweep, however silent it is")
    func noShare() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await register(.liveActivityUpdate, expiresAt: now - .hours(1))
        let now = now
        let plan = try await TestDatabase.current.pool.withConnection { connection in
            var rules = SweepRules()
            rules.staleAfterDays = 0
            return try Sweep(appID: firstApp, on: connection).plan(rules, now: now)
        }
        #expect(plan.isEmpty)
        #expect(plan.tokenCount == 0)
        #expect(plan.expiredCount == 1)
    }

    @Test("an expired token takes its installation out of the audience")
    func audience() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await register(.alert, expiresAt: now - .hours(1))
        try await register(.alert, expiresAt: now + .hours(1))
        let now = now
        let plan = try await TestDatabase.current.pool.withConnection {
            try Sweep(appID: firstApp, on: $0).plan(SweepRules(), now: now)
        }
        #expect(plan.audienceCount == 1)
    }
}
