import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

/// Every response in the table `provider_reason`, in every state of a token: only the verdict counts, never
/// the words.
@Suite(.database) struct TokenVerdictTests {
    private struct KnownResponse: Sendable {
        let provider: String
        let status: Int
        let reason: String
        let outcome: ResponseOutcome
    }

    private static let registeredAt = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    private func responses() async throws -> [KnownResponse] {
        let rows = try await TestDatabase.current.query(
            "SELECT provider, status, reason, outcome_class, token_verdict FROM landfall.provider_reason"
        ) { row -> KnownResponse? in
            let outcomeClass = OutcomeClass(name: try row.get(3, as: String.self))
            let verdict = TokenVerdict(rawValue: try row.get(4, as: String.self))
            guard let outcomeClass, let verdict else { return nil }
            return KnownResponse(
                provider: try row.get(0), status: Int(try row.get(1, as: String.self)) ?? 0,
                reason: try row.get(2), outcome: ResponseOutcome(outcomeClass, verdict))
        }
        try #require(rows.count > 100)
        let responses = rows.compactMap(\.self)
        #expect(responses.count == rows.count, "a class or verdict that the program does not know")
        return responses
    }

    private func evidence(_ response: KnownResponse, _ outcome: ResponseOutcome, sent: Span) -> TokenEvidence
    {
        TokenEvidence(
            outcome: outcome, provider: response.provider, status: response.status, reason: response.reason,
            sentAt: Self.registeredAt + sent, invalidSince: nil)
    }

    private static var tokens: [Token] {
        TokenState.allCases.map { state in
            var token = Token(tokenID: 1, state: state)
            token.lastRegisteredAt = registeredAt
            return token
        }
    }

    @Test("a response does what its verdict says")
    func verdicts() async throws {
        for response in try await responses() {
            let words = "\(response.provider) \(response.status) \(response.reason)"
            for token in Self.tokens where token.state != .retired {
                let change = TokenRules.change(
                    of: token, after: evidence(response, response.outcome, sent: .hours(1)))
                let expected: TokenChange? =
                    switch (response.outcome.tokenVerdict, response.outcome.outcomeClass, token.state) {
                    case (.invalidate, _, _), (.invalidateIfNotReregistered, _, _):
                        TokenChange(to: .retired, rule: .unregistered)
                    case (.suspect, _, .suspect): nil
                    case (.suspect, _, _): TokenChange(to: .suspect, rule: .badToken)
                    case (.keep, .accepted, .suspect): TokenChange(to: .active, rule: .accepted)
                    case (.keep, _, _): nil
                    }
                #expect(change == expected, "\(words), \(token.state)")
            }
        }
    }

    @Test("a response with another verdict does what that verdict says")
    func swappedWords() async throws {
        let responses = try await responses()
        let outcomes = Set(responses.map(\.outcome))
        #expect(outcomes.count > 10)
        let silent = KnownResponse(
            provider: "", status: 0, reason: "", outcome: ResponseOutcome(.accepted, .keep))
        for outcome in outcomes {
            for token in Self.tokens {
                for sent in [Span.hours(-1), .hours(1)] {
                    let expected = TokenRules.token(
                        token, after: evidence(silent, outcome, sent: sent), now: Self.registeredAt)
                    let differing = responses.filter { response in
                        TokenRules.token(
                            token, after: evidence(response, outcome, sent: sent), now: Self.registeredAt)
                            != expected
                    }
                    #expect(differing.isEmpty)
                }
            }
        }
    }

    @Test("a response with the verdict 'keep' never retires a token or makes it suspect, accepted or not")
    func keep() async throws {
        for response in try await responses() where response.outcome.tokenVerdict == .keep {
            for token in Self.tokens {
                let after = TokenRules.token(
                    token, after: evidence(response, response.outcome, sent: .hours(1)),
                    now: Self.registeredAt)
                #expect([token.state, .active].contains(after.state))
            }
        }
    }
}
