import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import TokenLifecycle

@Suite(.database) struct BreakerTests {
    private let bench = LedgerBench()

    private func groups(_ filter: TokenFilter = TokenFilter()) async throws -> [HeldTokens.Group] {
        try await bench.onConnection { try HeldTokens(appID: firstApp, on: $0).groups(filter) }
    }

    private func decide(
        _ decision: HeldTokens.Decision, _ filter: TokenFilter = TokenFilter(), at instant: Instant? = nil
    ) async throws -> Int64 {
        let instant = instant ?? bench.now
        return try await bench.onConnection { connection in
            try HeldTokens(appID: firstApp, on: connection)
                .decide(decision, filter, now: instant).changedCount
        }
    }

    private func openBreakers() async throws -> Int64 {
        try await bench.onConnection { try HeldTokens.openBreakers(on: $0) }
    }

    @Test("twenty tokens retire, further ones become suspect and wait")
    func twenty() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<30).asJudged
        try await bench.response(LedgerBench.death, about: tokens)
        #expect(try await bench.states() == ["retired/unregistered:20", "suspect/breaker:10"])
        #expect(try await openBreakers() == 1)
        let group = HeldTokens.Group(
            environment: "production", topic: LedgerBench.topic, openedAt: bench.now, heldTokens: 10)
        #expect(try await groups() == [group])
    }

    @Test("it is open as soon as twenty have retired, whether or not more come")
    func exactlyTwenty() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<20)
        try await bench.response(LedgerBench.death, about: Array(tokens[..<19]))
        #expect(try await openBreakers() == 0)
        try await bench.response(LedgerBench.death, about: Array(tokens[19...]))
        #expect(try await bench.states() == ["retired/unregistered:20"])
        #expect(try await openBreakers() == 1)
    }

    @Test("a share of those attempted within ten minutes may retire, by any writer, and no more")
    func share() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<800).asJudged
        try await bench.response(
            LedgerBench.acceptance, about: Array(tokens[..<400]), at: bench.now - .minutes(9), shard: 1)
        try await bench.response(
            LedgerBench.acceptance, about: Array(tokens[..<400]), at: bench.now - .minutes(10), shard: 2)
        try await bench.response(LedgerBench.death, about: Array(tokens[400..<700]))
        // 400 from nine minutes ago and 300 from now; those from ten minutes ago no longer count. 161 of 700
        // is significantly more than a fifth.
        #expect(
            try await bench.states() == [
                "active:500", "retired/unregistered:161", "suspect/breaker:139",
            ])
    }

    @Test("tokens without an accepted push, and pushes from more than a day ago, open nothing")
    func outside() async throws {
        try await bench.makeApp()
        try await bench.response(LedgerBench.death, about: try await bench.tokens(0..<60))
        try await bench.response(
            LedgerBench.death, about: try await bench.acceptedTokens(60..<120),
            sentAt: bench.now - .hours(24))
        #expect(try await bench.states() == ["retired/unregistered:120"])
        #expect(try await openBreakers() == 0)
        // They do not hide what does count.
        try await bench.response(LedgerBench.death, about: try await bench.acceptedTokens(120..<150))
        #expect(try await bench.states() == ["retired/unregistered:140", "suspect/breaker:10"])
    }

    @Test("a token with many pushes is one token of its batch")
    func repeated() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<60).asJudged
        let living = Array(repeating: tokens[59], count: 400)
        try await bench.response(LedgerBench.acceptance, about: living)
        try await bench.response(LedgerBench.death, about: Array(tokens[..<30]))
        // 30 of 31 died.
        #expect(
            try await bench.states() == ["active:30", "retired/unregistered:20", "suspect/breaker:10"])
    }

    @Test("suspicions open it too, and keep their cause; deaths that follow wait")
    func suspicions() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<40).asJudged
        try await bench.response(LedgerBench.suspicion, about: Array(tokens[..<30]))
        #expect(try await bench.states() == ["active:10", "suspect/bad_token:30"])
        #expect(try await openBreakers() == 1)
        try await bench.response(LedgerBench.death, about: Array(tokens[30...]))
        #expect(try await bench.states() == ["suspect/bad_token:30", "suspect/breaker:10"])
    }

    @Test("an app that usually loses many tokens opens it at three times its usual share")
    func usual() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<100).asJudged
        // 15 % for a month; the days before and after it do not count.
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.counter_live (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
            SELECT \(firstApp), to_timestamp($1) - days * interval '24 hours', 1, 1, side.response_id, side.notifications, side.state, 0
              FROM (SELECT days, CASE WHEN days BETWEEN 2 AND 31 THEN 15 ELSE 100 END AS dead
                      FROM generate_series(0, 32) AS days) AS day
              -- Accepted, dead and suspect.
             CROSS JOIN LATERAL (VALUES (0, 100 - dead, 3), (1, dead - 5, 65537), (2, 5, 131073))
                   AS side (response_id, notifications, state)
            """, [.value(Double(bench.now.startOfQuarter.millisecondsSinceEpoch / 1_000))])
        try await bench.response(
            LedgerBench.acceptance, about: Array(tokens[70...]), at: bench.now - .minutes(1))
        try await bench.response(LedgerBench.death, about: Array(tokens[..<70]))
        // 55 of 100 is significantly more than 45 %.
        #expect(
            try await bench.states() == ["active:30", "retired/unregistered:55", "suspect/breaker:15"])
    }

    @Test("the limit is exact to the token with several concurrent writers")
    func writers() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<320).asJudged
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let own = Array(tokens[(writer * 80)..<(writer * 80 + 80)])
                group.addTask {
                    for start in stride(from: 0, to: 80, by: 16) {
                        try await bench.response(
                            LedgerBench.death, about: Array(own[start..<start + 16]), shard: Int16(writer))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.states() == ["retired/unregistered:20", "suspect/breaker:300"])
    }

    @Test("once open, it stays so until a person decides: the next ten minutes retire no token either")
    func staysOpen() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<40).asJudged
        try await bench.response(LedgerBench.death, about: Array(tokens[..<30]))
        try await bench.response(
            LedgerBench.death, about: Array(tokens[30...]), at: bench.now + .minutes(30))
        #expect(try await bench.states() == ["retired/unregistered:20", "suspect/breaker:20"])
    }

    @Test("slow deaths never open it")
    func slowly() async throws {
        try await bench.makeApp()
        let tokens = try await bench.acceptedTokens(0..<57).asJudged
        for (position, start) in stride(from: 0, to: 57, by: 19).enumerated() {
            try await bench.response(
                LedgerBench.death, about: Array(tokens[start..<start + 19]),
                at: bench.now + .minutes(10 * Int64(position)))
        }
        #expect(try await bench.states() == ["retired/unregistered:57"])
        #expect(try await openBreakers() == 0)
    }

    @Test("environments and topics have breakers of their own, and the app its own limits")
    func apart() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 5, "breaker_share": 0.1}"#)
        let production = try await bench.acceptedTokens(0..<10)
        let sandbox = try await bench.acceptedTokens(0..<4, .sandbox)
        try await bench.response(LedgerBench.death, about: production)
        try await bench.response(LedgerBench.death, about: sandbox, environment: .sandbox)
        #expect(try await bench.states() == ["retired/unregistered:9", "suspect/breaker:5"])
        #expect(try await groups(TokenFilter(environment: .sandbox)).isEmpty)
        #expect(try await groups(TokenFilter(topic: "com.example.other")).isEmpty)
        #expect(try await groups(TokenFilter(environment: .production)).map(\.heldTokens) == [5])
    }

    @Test("released tokens are active, as if the responses had never come; the breaker counts afresh")
    func released() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 2, "breaker_share": 0}"#)
        let tokens = try await bench.acceptedTokens(0..<6).asJudged
        try await bench.response(LedgerBench.death, about: Array(tokens[..<4]))
        #expect(try await decide(.release, TokenFilter(topic: "com.example.other")) == 0)
        #expect(try await openBreakers() == 1)
        #expect(try await decide(.release, at: bench.now + .seconds(1)) == 2)
        #expect(try await bench.states() == ["active:4", "retired/unregistered:2"])
        #expect(try await openBreakers() == 0)
        #expect(try await bench.rules(of: tokens[3]) == ["discovered", "breaker", "released"])
        #expect(try await bench.lastEvidence(of: tokens[3])?.undoneRule == "breaker")
        let clean = "SELECT count(*) FROM landfall.token WHERE state = 'active' AND died_at IS NULL"
        #expect(try await TestDatabase.current.count(clean) == 4)
        try await bench.response(
            LedgerBench.death, about: Array(tokens[4...]), at: bench.now + .seconds(2))
        #expect(try await bench.states() == ["active:2", "retired/unregistered:4"])
    }

    @Test("confirmed tokens retire; the ledger says in which run")
    func confirmed() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 2, "breaker_share": 0}"#)
        let tokens = try await bench.acceptedTokens(0..<4).asJudged
        try await bench.response(LedgerBench.death, about: tokens)
        #expect(try await decide(.confirm) == 2)
        #expect(try await bench.states() == ["retired/confirmed:2", "retired/unregistered:2"])
        let runs = """
            SELECT count(*) FROM landfall.token_transition AS transition
            JOIN landfall.token_run AS run ON run.run_id = transition.run_id
            WHERE run.action = 'confirm' AND run.changed_count = 2 AND run.finished_at IS NOT NULL
            """
        #expect(try await TestDatabase.current.count(runs) == 2)
        #expect(try await decide(.confirm) == 0)
    }

    @Test("a token that waits is freed by an acceptance, and is not confirmed")
    func accepted() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 1, "breaker_share": 0}"#)
        let tokens = try await bench.acceptedTokens(0..<3).asJudged
        try await bench.response(LedgerBench.death, about: tokens, sentAt: bench.now - .hours(2))
        #expect(try await bench.states() == ["retired/unregistered:1", "suspect/breaker:2"])
        let held = try await bench.tokens(0..<3).filter { $0.tokenID == tokens[1].tokenID }
        try await bench.response(LedgerBench.acceptance, about: held, sentAt: bench.now - .hours(3))
        #expect(try await bench.states() == ["retired/unregistered:1", "suspect/breaker:2"])
        try await bench.response(LedgerBench.acceptance, about: held, sentAt: bench.now - .hours(1))
        #expect(try await bench.states() == ["active:1", "retired/unregistered:1", "suspect/breaker:1"])
        #expect(try await decide(.confirm) == 1)
        #expect(try await bench.states() == ["active:1", "retired/confirmed:1", "retired/unregistered:1"])
    }

    @Test("what the breaker had counted is evidence, next to the provider's response")
    func evidence() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 1, "breaker_share": 0}"#)
        let tokens = try await bench.acceptedTokens(0..<3).asJudged
        try await bench.response(LedgerBench.death, about: tokens)
        let evidence = try #require(try await bench.lastEvidence(of: tokens[2]))
        #expect(evidence.breaker == BreakerCounts(attempted: 3, retired: 1))
        #expect(evidence.provider == "apns")
        #expect(evidence.status == 410)
        #expect(evidence.reason == "Unregistered")
        #expect(evidence.sentAt == bench.now)
    }

    @Test("a decision is not carried out while another run goes through the app's tokens")
    func locked() async throws {
        try await bench.makeApp()
        let url = TestDatabase.current.url
        let now = bench.now
        let other = try TestDatabase.connect(to: url)
        _ = try HeldTokens(appID: firstApp, on: other).decide(
            .release, TokenFilter(), now: now,
            isStopped: {
                #expect(throws: LockTaken(.tokenRun)) {
                    try HeldTokens(appID: firstApp, on: TestDatabase.connect(to: url))
                        .decide(.release, TokenFilter(), now: now)
                }
                return false
            })
    }
}
