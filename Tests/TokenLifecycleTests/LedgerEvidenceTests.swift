import DeliveryModel
import TestDatabase
import Testing
import TokenLifecycle

@Suite(.database) struct LedgerEvidenceTests {
    private let bench = LedgerBench()

    @Test("evidence is read back as it was written")
    func readBack() async throws {
        let tokens = try await bench.tokens(0..<1)
        try await bench.answer(LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(1))
        let evidence = try #require(try await bench.lastEvidence(of: tokens[0]))
        var expected = LedgerEvidence()
        expected.provider = "apns"
        expected.status = 410
        expected.reason = "Unregistered"
        expected.sentAt = bench.now - .hours(1)
        expected.environment = EnvironmentEvidence()
        expected.environmentVerdict = .undecided
        #expect(evidence == expected)
    }

    @Test("what a later version wrote is ignored, and what is missing is nil")
    func otherVersions() throws {
        let evidence = try LedgerEvidence(json: #"{"sent_at": 1800000000000, "of_tomorrow": {"x": 1}}"#)
        var expected = LedgerEvidence()
        expected.sentAt = bench.now
        #expect(evidence == expected)
        #expect(try LedgerEvidence(json: "{}") == LedgerEvidence())
    }

    @Test("a refusal is weighed by what others like it get, and the other environment")
    func environment() async throws {
        let tokens = try await bench.tokens(0..<4)
        try await bench.answer(LedgerBench.suspicion, about: tokens)
        let sandbox = try await bench.tokens(3..<4, .sandbox)
        try await bench.answer(LedgerBench.acceptance, about: sandbox, environment: .sandbox)
        func verdict(_ token: Token) async throws -> (EnvironmentVerdict, EnvironmentEvidence)? {
            let now = bench.now
            return try await bench.onConnection {
                try EnvironmentInquiry(on: $0).verdict(on: token.tokenID, now: now)
            }
        }
        let alone = try #require(try await verdict(tokens[0]))
        #expect(alone.0 == .undecided)
        #expect(alone.1.refusedPeerCount == 3)
        let elsewhere = try #require(try await verdict(tokens[3]))
        #expect(elsewhere.0 == .wrongEnvironment)
        #expect(elsewhere.1.otherEnvironment == "sandbox")
        #expect(elsewhere.1.otherAcceptedAt == bench.now)
    }
}
