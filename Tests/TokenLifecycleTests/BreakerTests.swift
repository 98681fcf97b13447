import DeliveryModel
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@Suite(.database) struct BreakerTests {
    private let bench = LedgerBench()

    private func groups(_ filter: TokenFilter = TokenFilter()) async throws -> [HeldTokens.Group] {
        try await bench.onConnection { try HeldTokens(appID: 1, on: $0).groups(filter) }
    }

    private func decide(
        _ decision: HeldTokens.Decision, _ filter: TokenFilter = TokenFilter(), at instant: Instant? = nil
    ) async throws -> Int64 {
        let instant = instant ?? bench.now
        return try await bench.onConnection { connection in
            try HeldTokens(appID: 1, on: connection).decide(decision, filter, now: instant).changedCount
        }
    }

    private func openBreakers() async throws -> Int64 {
        try await bench.onConnection { try HeldTokens.openBreakers(on: $0) }
    }

    @Test("a hundred tokens retire, further ones become suspect and wait")
    func hundred() async throws {
        try await bench.makeApp()
        let tokens = try await bench.tokens(0..<120).asJudged
        try await bench.answer(LedgerBench.death, about: tokens)
        #expect(try await bench.states() == ["retired/unregistered:100", "suspect/breaker:20"])
        #expect(try await openBreakers() == 1)
        let group = HeldTokens.Group(
            environment: "production", topic: LedgerBench.topic, openedAt: bench.now, tokenCount: 20)
        #expect(try await groups() == [group])
    }

    @Test("a fifth of what was attempted within ten minutes may retire, whoever wrote it, and no more")
    func share() async throws {
        try await bench.makeApp()
        let tokens = try await bench.tokens(0..<800).asJudged
        try await bench.answer(
            LedgerBench.acceptance, about: Array(tokens[..<400]), at: bench.now - .minutes(9), slot: 1)
        try await bench.answer(
            LedgerBench.acceptance, about: Array(tokens[..<400]), at: bench.now - .minutes(10), slot: 2)
        try await bench.answer(LedgerBench.death, about: Array(tokens[400..<700]))
        // 400 of nine minutes ago and 300 of now; those of ten minutes ago count no more.
        #expect(
            try await bench.states() == [
                "active:500", "retired/unregistered:140", "suspect/breaker:160",
            ])
    }

    @Test("the limit holds to the token when several write at once")
    func writers() async throws {
        try await bench.makeApp()
        let tokens = try await bench.tokens(0..<320).asJudged
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let own = Array(tokens[(writer * 80)..<(writer * 80 + 80)])
                group.addTask {
                    for start in stride(from: 0, to: 80, by: 16) {
                        try await bench.answer(
                            LedgerBench.death, about: Array(own[start..<start + 16]), slot: Int16(writer))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.states() == ["retired/unregistered:100", "suspect/breaker:220"])
    }

    @Test("once open, it stays so until somebody decides: the next ten minutes retire no token either")
    func staysOpen() async throws {
        try await bench.makeApp()
        let tokens = try await bench.tokens(0..<130).asJudged
        try await bench.answer(LedgerBench.death, about: Array(tokens[..<110]))
        try await bench.answer(
            LedgerBench.death, about: Array(tokens[110...]), at: bench.now + .minutes(30))
        #expect(try await bench.states() == ["retired/unregistered:100", "suspect/breaker:30"])
    }

    @Test("slow deaths never open it")
    func slowly() async throws {
        try await bench.makeApp()
        let tokens = try await bench.tokens(0..<180).asJudged
        for (position, start) in stride(from: 0, to: 180, by: 60).enumerated() {
            try await bench.answer(
                LedgerBench.death, about: Array(tokens[start..<start + 60]),
                at: bench.now + .minutes(10 * Int64(position)))
        }
        #expect(try await bench.states() == ["retired/unregistered:180"])
        #expect(try await openBreakers() == 0)
    }

    @Test("environments and topics have breakers of their own, and the app its own limits")
    func apart() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 5, "breaker_share": 0.5}"#)
        let production = try await bench.tokens(0..<10)
        let sandbox = try await bench.tokens(0..<4, .sandbox)
        try await bench.answer(LedgerBench.death, about: production)
        try await bench.answer(LedgerBench.death, about: sandbox, environment: .sandbox)
        #expect(try await bench.states() == ["retired/unregistered:9", "suspect/breaker:5"])
        #expect(try await groups(TokenFilter(environment: .sandbox)).isEmpty)
        #expect(try await groups(TokenFilter(topic: "com.example.other")).isEmpty)
        #expect(try await groups(TokenFilter(environment: .production)).map(\.tokenCount) == [5])
    }

    @Test("released tokens are active, as if the answers had never come, and the breaker counts anew")
    func released() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 2, "breaker_share": 0}"#)
        let tokens = try await bench.tokens(0..<6).asJudged
        try await bench.answer(LedgerBench.death, about: Array(tokens[..<4]))
        #expect(try await decide(.release, TokenFilter(topic: "com.example.other")) == 0)
        #expect(try await openBreakers() == 1)
        #expect(try await decide(.release, at: bench.now + .seconds(1)) == 2)
        #expect(try await bench.states() == ["active:4", "retired/unregistered:2"])
        #expect(try await openBreakers() == 0)
        #expect(try await bench.rules(of: tokens[3]) == ["discovered", "breaker", "released"])
        #expect(try await bench.lastEvidence(of: tokens[3])?.undoneRule == "breaker")
        let clean = "SELECT count(*) FROM landfall.token WHERE state = 'active' AND died_at IS NULL"
        #expect(try await TestDatabase.current.count(clean) == 4)
        try await bench.answer(
            LedgerBench.death, about: Array(tokens[4...]), at: bench.now + .seconds(2))
        #expect(try await bench.states() == ["active:2", "retired/unregistered:4"])
    }

    @Test("confirmed tokens retire; the ledger says by which run")
    func confirmed() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 2, "breaker_share": 0}"#)
        let tokens = try await bench.tokens(0..<4).asJudged
        try await bench.answer(LedgerBench.death, about: tokens)
        #expect(try await decide(.confirm) == 2)
        #expect(try await bench.states() == ["retired/confirmed:2", "retired/unregistered:2"])
        let runs = """
            SELECT count(*) FROM landfall.token_transition AS transition
            JOIN landfall.sweep_run AS run ON run.run_id = transition.run_id
            WHERE run.action = 'confirm' AND run.changed_count = 2 AND run.finished_at IS NOT NULL
            """
        #expect(try await TestDatabase.current.count(runs) == 2)
        #expect(try await decide(.confirm) == 0)
    }

    @Test("a token that waits is freed by an acceptance, and is not confirmed")
    func accepted() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 0, "breaker_share": 0}"#)
        let tokens = try await bench.tokens(0..<2).asJudged
        try await bench.answer(LedgerBench.death, about: tokens, sentAt: bench.now - .hours(2))
        #expect(try await bench.states() == ["suspect/breaker:2"])
        let held = try await bench.tokens(0..<1)
        try await bench.answer(LedgerBench.acceptance, about: held, sentAt: bench.now - .hours(3))
        #expect(try await bench.states() == ["suspect/breaker:2"])
        try await bench.answer(LedgerBench.acceptance, about: held, sentAt: bench.now - .hours(1))
        #expect(try await bench.states() == ["active:1", "suspect/breaker:1"])
        #expect(try await decide(.confirm) == 1)
        #expect(try await bench.states() == ["active:1", "retired/confirmed:1"])
    }

    @Test("what the breaker had counted is evidence, beside what the provider said")
    func evidence() async throws {
        try await bench.makeApp(settings: #"{"breaker_minimum": 1, "breaker_share": 0}"#)
        let tokens = try await bench.tokens(0..<3).asJudged
        try await bench.answer(LedgerBench.death, about: tokens)
        let evidence = try #require(try await bench.lastEvidence(of: tokens[2]))
        #expect(evidence.breaker == BreakerCounts(attempted: 3, retired: 1))
        #expect(evidence.provider == "apns")
        #expect(evidence.status == 410)
        #expect(evidence.reason == "Unregistered")
        #expect(evidence.sentAt == bench.now)
    }

    @Test("a decision leaves alone while another run goes through the app's tokens")
    func locked() async throws {
        try await bench.makeApp()
        let url = TestDatabase.current.url
        let now = bench.now
        let other = try PostgresConnection(url: url)
        _ = try HeldTokens(appID: 1, on: other).decide(
            .release, TokenFilter(), now: now,
            isStopped: {
                #expect(throws: SweepError.someoneElseSweeps) {
                    try HeldTokens(appID: 1, on: PostgresConnection(url: url))
                        .decide(.release, TokenFilter(), now: now)
                }
                return false
            })
    }
}
