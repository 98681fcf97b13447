import Basics
import Testing

@testable import Reports

@Suite("The chain of a token") struct TokenChainTests {
    private func token(_ tokenID: Int64, successor: Int64?, retired: Int64 = 0) -> TokenProfile {
        let at = Instant(millisecondsSinceEpoch: retired)
        return TokenProfile(
            tokenID: tokenID, fingerprint: "", provider: "apns", environment: "production", topic: "",
            kind: "alert",
            state: successor == nil ? "active" : "retired", cause: nil, stateChangedAt: at,
            successorID: successor,
            hasValue: true, holdsSlot: successor == nil, installationID: 1, deviceID: nil, firstSeenAt: at,
            lastRegisteredAt: nil, lastAcceptedAt: nil, firstRejectedAt: nil, lastRejectedAt: nil,
            lastSignOfLifeAt: at)
    }

    private func order(_ tokenID: Int64, _ tokens: [TokenProfile]) throws -> [Int64] {
        let token = try #require(tokens.first { $0.tokenID == tokenID })
        return TokenChain.order(token, among: tokens).map(\.tokenID)
    }

    @Test("leads from the first value to the last, wherever one begins", arguments: [1, 2, 3] as [Int64])
    func wholeChain(tokenID: Int64) throws {
        let tokens = [
            token(3, successor: nil), token(9, successor: nil), token(1, successor: 2, retired: 10),
            token(2, successor: 3, retired: 20),
        ]
        #expect(try order(tokenID, tokens) == [1, 2, 3])
    }

    @Test("follows several predecessors of a value, and a circle of links once")
    func branchesAndCircles() throws {
        #expect(
            try order(
                3,
                [
                    token(2, successor: 3, retired: 5), token(1, successor: 3, retired: 9),
                    token(3, successor: nil),
                ])
                == [2, 1, 3])
        #expect(
            try order(1, [token(1, successor: 2, retired: 1), token(2, successor: 1, retired: 2)]) == [1, 2])
    }

    @Test("stops where the next one is unknown")
    func unknown() throws {
        #expect(try order(1, [token(1, successor: 7)]) == [1])
    }
}
