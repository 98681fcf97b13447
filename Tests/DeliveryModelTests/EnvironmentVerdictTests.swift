import DeliveryModel
import Testing

struct EnvironmentVerdictTests {
    private static let instant = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let evidence: EnvironmentEvidence
        let verdict: EnvironmentVerdict
    }

    private static func peers(
        attempted: Int64, rejected: Int64, tokens: Int64, acceptedAt: Instant? = nil,
        version: String = "7.1.0"
    ) -> EnvironmentEvidence {
        var evidence = EnvironmentEvidence()
        evidence.acceptedAt = acceptedAt
        evidence.appVersion = version
        evidence.attemptedCount = attempted
        evidence.rejectedCount = rejected
        evidence.rejectedPeerCount = tokens
        return evidence
    }

    private static func elsewhere(
        registeredAt: Instant? = nil, acceptedAt: Instant? = nil
    ) -> EnvironmentEvidence {
        var evidence = EnvironmentEvidence()
        evidence.otherEnvironment = "sandbox"
        evidence.otherRegisteredAt = registeredAt
        evidence.otherAcceptedAt = acceptedAt
        return evidence
    }

    private static let rows = [
        Row(
            testDescription: "registered in the other environment",
            evidence: elsewhere(registeredAt: instant),
            verdict: .wrongEnvironment),
        Row(
            testDescription: "accepted by the other environment",
            evidence: elsewhere(acceptedAt: instant),
            verdict: .wrongEnvironment),
        Row(
            testDescription: "half of its like are rejected",
            evidence: peers(attempted: 6, rejected: 3, tokens: 2),
            verdict: .wrongEnvironment),
        Row(
            testDescription: "half of its like are rejected, although it was accepted before",
            evidence: peers(attempted: 6, rejected: 3, tokens: 2, acceptedAt: instant),
            verdict: .wrongEnvironment),
        Row(
            testDescription: "many rejections, but all of one other token",
            evidence: peers(attempted: 90, rejected: 80, tokens: 1), verdict: .undecided),
        Row(
            testDescription: "its like are accepted, and it never was",
            evidence: peers(attempted: 20, rejected: 2, tokens: 1), verdict: .malformed),
        Row(
            testDescription: "its like are accepted, and it was",
            evidence: peers(attempted: 20, rejected: 2, tokens: 1, acceptedAt: instant), verdict: .dead),
        Row(
            testDescription: "too few pushes to tell", evidence: peers(attempted: 19, rejected: 1, tokens: 0),
            verdict: .undecided),
        Row(
            testDescription: "neither most nor few are rejected",
            evidence: peers(attempted: 100, rejected: 30, tokens: 9), verdict: .undecided),
        Row(
            testDescription: "most are rejected, but their versions are unknown, so they are not alike",
            evidence: peers(attempted: 6, rejected: 6, tokens: 5, version: ""), verdict: .undecided),
        Row(testDescription: "nothing known", evidence: EnvironmentEvidence(), verdict: .undecided),
    ]

    @Test("the evidence determines the cause of a rejection", arguments: rows)
    func verdict(row: Row) {
        #expect(EnvironmentVerdict(row.evidence) == row.verdict)
    }

    @Test("every verdict comes with advice, one sentence or more", arguments: EnvironmentVerdict.allCases)
    func advice(verdict: EnvironmentVerdict) {
        #expect(verdict.advice.hasSuffix("."))
        #expect(verdict.advice.count > 40)
    }
}
