import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

@testable import TokenLifecycle

@Suite(.database) struct RestorationTests {
    private let bench = LedgerBench()

    private func plan(
        _ rule: TokenRule, since: Instant? = nil, _ filter: TokenFilter = TokenFilter()
    ) async throws -> Restoration.Plan {
        let since = since ?? bench.now
        return try await bench.onConnection {
            try Restoration(appID: firstApp, undoing: rule, since: since, filter: filter, on: $0).plan()
        }
    }

    private func restore(_ rule: TokenRule, since: Instant? = nil) async throws -> Int64 {
        let since = since ?? bench.now
        let now = bench.now + .hours(1)
        return try await bench.onConnection { connection in
            let restoration = Restoration(appID: firstApp, undoing: rule, since: since, on: connection)
            return try restoration.apply(restoration.plan(), now: now).changedCount
        }
    }

    /// Registers the value with that number for a device.
    private func register(
        _ number: Int, on device: UUID, topic: String = LedgerBench.topic, at instant: Instant
    ) async throws {
        var registration = Registration(deviceID: device, registeredAt: instant)
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: topic, kind: .alert,
                value: String(format: "%08x", number))
        ]
        let said = registration
        try await TestDatabase.current.pool.withTransaction { [vault = bench.vault] connection in
            _ = try DeviceRegistry(vault: vault).register(said, appID: firstApp, now: instant, on: connection)
        }
    }

    @Test("tokens that a rule retired are active again, and the ledger keeps both rows")
    func undone() async throws {
        let tokens = try await bench.tokens(0..<3)
        try await bench.response(LedgerBench.death, about: tokens, at: bench.now)
        #expect(try await plan(.unregistered).restorable == 3)
        #expect(try await bench.states() == ["retired/unregistered:3"])
        #expect(try await restore(.unregistered) == 3)
        #expect(try await bench.states() == ["active:3"])
        #expect(try await bench.rules(of: tokens[0]) == ["discovered", "unregistered", "restored"])
        #expect(try await bench.lastEvidence(of: tokens[0])?.undoneRule == "unregistered")
        #expect(try await restore(.unregistered) == 0)
    }

    @Test("what was done before, by another rule, or to another topic stays")
    func others() async throws {
        let tokens = try await bench.tokens(0..<2)
        try await bench.response(LedgerBench.death, about: tokens, at: bench.now)
        #expect(try await plan(.unregistered, since: bench.now + .seconds(1)).groups.isEmpty)
        #expect(try await plan(.stale).groups.isEmpty)
        #expect(try await plan(.unregistered, TokenFilter(topic: "com.example.other")).groups.isEmpty)
        #expect(try await plan(.unregistered, TokenFilter(environment: .sandbox)).groups.isEmpty)
        #expect(try await plan(.unregistered, TokenFilter(topic: LedgerBench.topic)).restorable == 2)
    }

    @Test("suspicion and retirement by one rule are undone together")
    func suspicion() async throws {
        let tokens = try await bench.tokens(0..<1)
        try await bench.response(LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(5))
        try await bench.response(LedgerBench.suspicion, about: try await bench.tokens(0..<1))
        #expect(try await bench.states() == ["retired/bad_token:1"])
        #expect(try await restore(.badToken) == 1)
        #expect(try await bench.states() == ["active:1"])
        let refused = "SELECT count(*) FROM landfall.token WHERE first_rejected_at IS NOT NULL"
        #expect(try await TestDatabase.current.count(refused) == 0)
    }

    @Test("a token that was suspect before is suspect again, for the same reason")
    func suspectBefore() async throws {
        let tokens = try await bench.tokens(0..<1)
        try await bench.response(LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(5))
        try await bench.response(LedgerBench.death, about: try await bench.tokens(0..<1))
        #expect(try await restore(.unregistered) == 1)
        #expect(try await bench.states() == ["suspect/bad_token:1"])
    }

    @Test("a token that waited for a decision before it was confirmed waits again, with all its evidence")
    func waitedBefore() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 1, "breaker_share": 0}"#)
        let tokens = try await bench.acceptedTokens(0..<1)
        try await bench.response(LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(5))
        try await bench.response(LedgerBench.death, about: try await bench.tokens(0..<1))
        let now = bench.now
        let confirmed = try await bench.onConnection { connection in
            try HeldTokens(appID: firstApp, on: connection)
                .decide(.confirm, TokenFilter(), now: now).changedCount
        }
        #expect(confirmed == 1)
        #expect(try await restore(.confirmed) == 1)
        #expect(try await bench.states() == ["suspect/breaker:1"])
        let dead = "SELECT count(*) FROM landfall.token WHERE died_at IS NOT NULL"
        #expect(try await TestDatabase.current.count(dead) == 1)
    }

    @Test("restoring a token again looks for the cause before the first restoration")
    func restoredTwice() async throws {
        let tokens = try await bench.tokens(0..<1)
        try await bench.response(
            LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(9), at: bench.now - .hours(8))
        try await bench.response(LedgerBench.death, about: try await bench.tokens(0..<1))
        #expect(try await restore(.unregistered) == 1)
        try await bench.response(
            LedgerBench.suspicion, about: try await bench.tokens(0..<1), at: bench.now + .hours(2))
        #expect(try await bench.states() == ["retired/bad_token:1"])
        #expect(try await restore(.badToken) == 1)
        #expect(try await bench.states() == ["suspect/bad_token:1"])
    }

    @Test("a token that was erased, whose slot has a newer one, or that changed since is not restored")
    func hindered() async throws {
        let devices = (0..<3).map { _ in UUID() }
        for (number, device) in devices.enumerated() {
            try await register(number, on: device, at: bench.now - .days(2))
        }
        let tokens = try await bench.tokens(0..<4)
        try await bench.response(LedgerBench.death, about: tokens)
        try await TestDatabase.current.execute(
            "UPDATE landfall.token SET sealed_value = NULL WHERE token_id = $1", [.value(tokens[0].tokenID)])
        try await register(99, on: devices[1], at: bench.now + .minutes(1))
        try await register(2, on: devices[2], at: bench.now + .minutes(1))
        let plan = try await plan(.unregistered)
        #expect(plan.restorable == 1)
        for hindrance in Restoration.Hindrance.allCases { #expect(plan.hindered(hindrance) == 1) }
        #expect(try await restore(.unregistered) == 1)
        #expect(try await bench.states() == ["active:3", "retired/unregistered:2"])
    }

    @Test("a token that got its topic later is not restored if its device has a newer one under that topic")
    func replacedUnderItsTopic() async throws {
        let device = UUID()
        try await register(0, on: device, topic: "", at: bench.now - .days(2))
        let tokens = try await bench.tokens(0..<1)
        try await bench.response(LedgerBench.death, about: tokens)
        try await register(99, on: device, at: bench.now + .minutes(1))
        try await TestDatabase.current.execute(
            "UPDATE landfall.token SET topic = $2 WHERE token_id = $1",
            [.value(tokens[0].tokenID), .value(LedgerBench.topic)])
        #expect(try await plan(.unregistered).hindered(.slotTaken) == 1)
        #expect(try await restore(.unregistered) == 0)
    }

    @Test("what changes between plan and restoration stays as it is")
    func changedSincePlan() async throws {
        let tokens = try await bench.tokens(0..<2)
        try await bench.response(LedgerBench.death, about: tokens)
        let now = bench.now
        let url = TestDatabase.current.url
        let connection = try TestDatabase.connect(to: url)
        let restoration = Restoration(appID: firstApp, undoing: .unregistered, since: now, on: connection)
        let plan = try restoration.plan()
        try await register(1, on: UUID(), at: now + .minutes(1))
        #expect(try restoration.apply(plan, now: now + .minutes(2)).changedCount == 1)
        #expect(try await bench.rules(of: tokens[1]) == ["discovered", "unregistered", "revived"])
    }

    @Test("of the tokens that a rule retired, those that came back are counted")
    func falseDeaths() async throws {
        let tokens = try await bench.tokens(0..<5)
        try await bench.response(LedgerBench.death, about: tokens)
        try await register(0, on: UUID(), at: bench.now + .minutes(1))
        try await bench.response(
            LedgerBench.acceptance, about: try await bench.tokens(1..<2), sentAt: bench.now + .minutes(1))
        let now = bench.now
        func deaths(from: Instant, to: Instant) async throws -> [FalseDeaths.Row] {
            try await bench.onConnection { try FalseDeaths(appID: firstApp, from: from, to: to, on: $0).rows }
        }
        let row = FalseDeaths.Row(
            rule: "unregistered", retired: 5, revived: 1, accepted: 1, registered: 1, cameBack: 2)
        #expect(try await deaths(from: now, to: now + .hours(1)) == [row])
        #expect(row.rate == Proportion(2, of: 5))
        #expect(try await deaths(from: now - .hours(1), to: now).isEmpty)
    }
}
