import DeliveryModel
import Instants
import PostgresClient
import TestDatabase
import Testing

/// Every response in the table `provider_reason`, in every state of a token: only the verdict counts, never the words.
@Suite(.database) struct TokenVerdictTests {
    private struct KnownAnswer: Sendable {
        let provider: String
        let status: Int
        let reason: String
        let outcome: Outcome
    }

    private static let registeredAt = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    private func answers() async throws -> [KnownAnswer] {
        let rows = try await TestDatabase.current.query(
            "SELECT provider, status, reason, outcome_class, token_verdict FROM landfall.provider_reason"
        ) { row -> KnownAnswer? in
            let outcomeClass = OutcomeClass(name: try row.get(3, as: String.self))
            let verdict = TokenVerdict(rawValue: try row.get(4, as: String.self))
            guard let outcomeClass, let verdict else { return nil }
            return KnownAnswer(
                provider: try row.get(0), status: Int(try row.get(1, as: String.self)) ?? 0,
                reason: try row.get(2), outcome: Outcome(outcomeClass, verdict))
        }
        try #require(rows.count > 100)
        let answers = rows.compactMap(\.self)
        #expect(answers.count == rows.count, "a class or verdict that the program does not know")
        return answers
    }

    private func evidence(_ answer: KnownAnswer, _ outcome: Outcome, sent: Span) -> TokenEvidence {
        TokenEvidence(
            outcome: outcome, provider: answer.provider, status: answer.status, reason: answer.reason,
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
        for answer in try await answers() {
            let words = "\(answer.provider) \(answer.status) \(answer.reason)"
            for token in Self.tokens where token.state != .retired {
                let change = TokenRules.change(
                    of: token, after: evidence(answer, answer.outcome, sent: .hours(1)))
                let expected: TokenChange? =
                    switch (answer.outcome.tokenVerdict, answer.outcome.outcomeClass, token.state) {
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
        let answers = try await answers()
        let outcomes = Set(answers.map(\.outcome))
        #expect(outcomes.count > 10)
        let silent = KnownAnswer(provider: "", status: 0, reason: "", outcome: Outcome(.accepted, .keep))
        for outcome in outcomes {
            for token in Self.tokens {
                for sent in [Span.hours(-1), .hours(1)] {
                    let expected = TokenRules.token(
                        token, after: evidence(silent, outcome, sent: sent), now: Self.registeredAt)
                    let differing = answers.filter { answer in
                        TokenRules.token(
                            token, after: evidence(answer, outcome, sent: sent), now: Self.registeredAt)
                            != expected
                    }
                    #expect(differing.isEmpty)
                }
            }
        }
    }

    @Test("a response with the verdict 'keep' never retires a token or makes it suspect, accepted or not")
    func keep() async throws {
        for answer in try await answers() where answer.outcome.tokenVerdict == .keep {
            for token in Self.tokens {
                let after = TokenRules.token(
                    token, after: evidence(answer, answer.outcome, sent: .hours(1)), now: Self.registeredAt)
                #expect([token.state, .active].contains(after.state))
            }
        }
    }
}
