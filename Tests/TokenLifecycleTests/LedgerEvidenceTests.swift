import DeliveryModel
import Foundation
import TestDatabase
import Testing

@testable import TokenLifecycle

@Suite(.database) struct LedgerEvidenceTests {
    private let bench = LedgerBench()

    @Test("evidence is read back as it was written")
    func readBack() async throws {
        let tokens = try await bench.tokens(0..<1)
        try await bench.response(LedgerBench.suspicion, about: tokens, sentAt: bench.now - .hours(1))
        let evidence = try #require(try await bench.lastEvidence(of: tokens[0]))
        var expected = ReadEvidence()
        expected.provider = "apns"
        expected.status = 410
        expected.reason = "Unregistered"
        expected.sentAt = bench.now - .hours(1)
        expected.environment = EnvironmentEvidence()
        expected.environmentVerdict = .undecided
        #expect(evidence == expected)
    }

    @Test("every field is written as an encoder would write it")
    func everyField() throws {
        var evidence = LedgerEvidence()
        evidence.provider = "apns"
        evidence.status = 410
        evidence.reason = "a \"word\" \\ of\n\u{1}the provider, größer / gleich 💥"
        evidence.invalidSince = bench.now - .hours(1)
        evidence.sentAt = bench.now - .hours(2)
        evidence.registeredAt = bench.now - .hours(3)
        evidence.acceptedAt = bench.now - .hours(4)
        evidence.firstRejectedAt = Instant(millisecondsSinceEpoch: -5)
        evidence.knownInOtherEnvironment = true
        evidence.environment = EnvironmentEvidence()
        evidence.environment?.otherEnvironment = "sandbox"
        evidence.environment?.appVersion = "7.1"
        evidence.environmentVerdict = .wrongEnvironment
        evidence.breaker = BreakerCounts(attempted: 12, retired: 3)
        evidence.successorTokenID = .max
        evidence.fromInstallationID = 7
        evidence.toInstallationID = 8
        evidence.source = "import"
        for field in Mirror(reflecting: evidence).children {
            #expect(Mirror(reflecting: field.value).children.count == 1, "\(field.label ?? "") is not tried")
        }
        func sorted(_ json: Data) throws -> String {
            let object = try JSONSerialization.jsonObject(with: json)
            let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
        func fields(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }
        }
        let read = try ReadEvidence(json: evidence.json())
        #expect(try sorted(Data(evidence.json().utf8)) == sorted(JSONEncoder().encode(read)))
        #expect(fields(read) == fields(evidence) + ["undoneRule nil"])
        #expect(try LedgerEvidence().json() == "{}")
        evidence.knownInOtherEnvironment = false
        #expect(try ReadEvidence(json: evidence.json()).knownInOtherEnvironment == false)
    }

    @Test("a rejection is weighed by the responses to similar tokens and by the other environment")
    func environment() async throws {
        let tokens = try await bench.tokens(0..<4)
        try await bench.response(LedgerBench.suspicion, about: tokens)
        let sandbox = try await bench.tokens(3..<4, .sandbox)
        try await bench.response(LedgerBench.acceptance, about: sandbox, environment: .sandbox)
        func evidence(on token: Token) async throws -> EnvironmentEvidence? {
            let now = bench.now
            return try await bench.onConnection {
                try EnvironmentInquiry(connection: $0, recent: TimedCache())
                    .evidence([token.tokenID], now: now)[token.tokenID]
            }
        }
        let alone = try #require(try await evidence(on: tokens[0]))
        #expect(EnvironmentVerdict(alone) == .undecided)
        #expect(alone.rejectedPeerCount == 3)
        let elsewhere = try #require(try await evidence(on: tokens[3]))
        #expect(EnvironmentVerdict(elsewhere) == .wrongEnvironment)
        #expect(elsewhere.otherEnvironment == "sandbox")
        #expect(elsewhere.otherAcceptedAt == bench.now)
    }
}
