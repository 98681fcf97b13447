import DeliveryModel
import Foundation
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite(.database) struct SweepTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let appID = firstApp

    private func makeApp(settings: String = "{}") async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at, settings) VALUES ('shop', now(), $1::text::jsonb)",
            [.value(settings)])
    }

    /// Registers `count` installations, each last heard from this many days ago.
    private func register(_ count: Int, silentFor days: Int64, prefix: String) async throws {
        let registry = DeviceRegistry(vault: TokenVault(.random()))
        try await TestDatabase.current.pool.withTransaction { connection in
            for number in 0..<count {
                var registration = Registration(deviceID: UUID(), registeredAt: now - .days(days))
                registration.permission = "authorized"
                registration.tokens = [
                    TokenAddress(
                        provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                        value: prefix + String(format: "%08x", number))
                ]
                _ = try registry.register(registration, appID: appID, now: now - .days(days), on: connection)
            }
        }
    }

    private func hear(_ ago: Span) async throws {
        try await TestDatabase.current.pool.withTransaction { connection in
            SignsOfLife().hear(fromApps: [appID: now - ago], on: connection)
        }
    }

    private func plan(_ rules: SweepRules = SweepRules()) async throws -> SweepPlan {
        try await TestDatabase.current.pool.withConnection { connection in
            try Sweep(appID: appID, on: connection).plan(rules, now: now)
        }
    }

    private func apply(
        _ rules: SweepRules = SweepRules(), at instant: Instant? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) async throws -> SweepResult {
        let instant = instant ?? now
        return try await TestDatabase.current.pool.withConnection { connection in
            try Sweep(appID: appID, on: connection).apply(rules, now: instant, isStopped: isStopped)
        }
    }

    private func states() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT state || ':' || count(*) FROM landfall.token GROUP BY state ORDER BY state"
        ) { try $0.get(0, as: String.self) }
    }

    private func generous(_ share: Double = 1) -> SweepRules {
        var rules = SweepRules()
        rules.maxShare = share
        return rules
    }

    @Test("a plan counts and changes nothing")
    func planOnly() async throws {
        try await makeApp()
        try await register(95, silentFor: 1, prefix: "aa")
        try await register(5, silentFor: 61, prefix: "bb")
        try await hear(.hours(1))
        let plan = try await plan()
        #expect(plan.staleCount == 5)
        #expect(plan.retiredCount == 0)
        #expect(plan.audienceCount == 100)
        #expect(plan.lostAudienceCount == 5)
        #expect(plan.refusal(SweepRules(), now: now) == nil)
        #expect(try await states() == ["active:100"])
    }

    @Test("60 days of silence make a token stale, 30 more retire it and erase its value")
    func staleThenRetired() async throws {
        try await makeApp()
        try await register(95, silentFor: 1, prefix: "aa")
        try await register(3, silentFor: 60, prefix: "bb")
        try await register(5, silentFor: 61, prefix: "cc")
        try await hear(.hours(1))
        #expect(try await apply().staleCount == 5)
        #expect(try await states() == ["active:98", "stale:5"])
        #expect(try await apply() == SweepResult())

        let later = now + .days(31)
        try await TestDatabase.current.execute(
            "UPDATE landfall.installation SET last_sign_of_life_at = last_sign_of_life_at + interval '31 days' WHERE installation_id <= \(TestDatabase.id(98))"
        )
        try await TestDatabase.current.pool.withTransaction { connection in
            SignsOfLife().hear(fromApps: [appID: later], on: connection)
        }
        let result = try await apply(at: later)
        #expect(result.retiredCount == 5)
        #expect(try await states() == ["active:98", "retired:5"])
        let erased = "SELECT count(*) FROM landfall.token WHERE sealed_value IS NULL AND cause = 'swept'"
        #expect(try await TestDatabase.current.count(erased) == 5)
        let ledger = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.token_transition WHERE rule IN ('stale', 'swept') AND run_id IS NOT NULL"
        )
        #expect(ledger == 10)
    }

    @Test("a sweep that costs more of the audience than allowed is rejected and changes nothing")
    func tooMany() async throws {
        try await makeApp()
        try await register(80, silentFor: 1, prefix: "aa")
        try await register(20, silentFor: 90, prefix: "bb")
        try await hear(.hours(1))
        await #expect(throws: SweepRefusal.tooMany(share: 0.2, maxShare: 0.1)) { try await apply() }
        #expect(try await states() == ["active:100"])
        #expect(try await apply(generous()).staleCount == 20)
    }

    @Test("a sweep is rejected if no installation was heard from for 24 hours")
    func deaf() async throws {
        try await makeApp()
        try await register(95, silentFor: 2, prefix: "aa")
        try await register(5, silentFor: 90, prefix: "bb")
        for ago in [Span.days(2), .hours(24)] {
            try await hear(ago)
            await #expect(throws: SweepRefusal.nobodyHeard(since: now - ago)) {
                try await apply(generous())
            }
        }
        #expect(try await states() == ["active:100"])
        try await hear(.hours(23))
        #expect(try await apply(generous()).staleCount == 5)
    }

    @Test("a second sweep of the same app finds the lock taken")
    func locked() async throws {
        try await makeApp()
        try await register(20, silentFor: 1, prefix: "aa")
        try await register(1, silentFor: 90, prefix: "bb")
        try await hear(.hours(1))
        let url = TestDatabase.current.url
        try await TestDatabase.current.pool.withConnection { connection in
            let rules = generous()
            let instant = now
            _ = try Sweep(appID: appID, on: connection).apply(
                rules, now: instant,
                isStopped: {
                    #expect(throws: LockTaken(.tokenRun)) {
                        try Sweep(appID: appID, on: TestDatabase.connect(to: url)).apply(rules, now: instant)
                    }
                    return false
                })
        }
        #expect(try await states() == ["active:20", "stale:1"])
    }

    @Test("batches are separate commits: a stopped sweep keeps what it did and continues the next time")
    func stopped() async throws {
        try await makeApp()
        let size = Sweep.batchSize
        try await register(Int(2 * size + 100), silentFor: 90, prefix: "bb")
        try await hear(.hours(1))
        let asked = Counter()
        let first = try await apply(generous(), isStopped: { asked.next() > 2 })
        #expect(first.wasStopped)
        #expect(first.staleCount == size)
        #expect(try await states() == ["active:\(size + 100)", "stale:\(size)"])
        #expect(try await apply(generous()).staleCount == size + 100)
    }

    @Test("a sign of life makes a stale token active again, and the app's own periods are used")
    func revives() async throws {
        try await makeApp(settings: #"{"stale_after_days": 10}"#)
        try await register(20, silentFor: 1, prefix: "aa")
        try await register(1, silentFor: 11, prefix: "bb")
        try await hear(.hours(1))
        let rules = try await TestDatabase.current.pool.withConnection {
            try Sweep(appID: appID, on: $0).rules()
        }
        #expect(rules.staleAfterDays == 10)
        #expect(try await apply(rules).staleCount == 1)
        let deviceID = try await TestDatabase.current.query(
            "SELECT device_id FROM landfall.installation ORDER BY last_sign_of_life_at LIMIT 1"
        ) { try $0.get(0, as: UUID.self) }[0]
        try await TestDatabase.current.pool.withTransaction { connection in
            let sign = SignOfLife(appID: appID, at: now, deviceID: deviceID, tokenID: nil)
            _ = try SignsOfLife().record([sign], now: now, on: connection)
        }
        #expect(try await states() == ["active:21"])
    }
}

/// Counts its calls.
final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
