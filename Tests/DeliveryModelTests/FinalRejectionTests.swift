import DeliveryModel
import Testing

/// A sender's final rejection corrects an acceptance, in whichever order the two are posted.
struct FinalRejectionTests {
    private let acceptance: DeliveryState = [.attempted, .accepted, .canReport]

    @Test(
        "a final rejection removes the acceptance, before and after it", arguments: RejectionClass.allCases
    )
    func corrects(rejectionClass: RejectionClass) {
        let rejection: DeliveryState = [.attempted, .canReport, .rejected(rejectionClass, isFinal: true)]
        let state = acceptance.joined(with: rejection)
        #expect(state == rejection.joined(with: acceptance))
        #expect(state.rejectionClass == rejectionClass && state.isRejected && !state.isConflicting)
        #expect(state.knows(acceptance) && state.knows(rejection))
        for measure in Measure.allCases where measure == .accepted || measure == .reportable {
            #expect(measure.value(of: state) == 0)
        }
        #expect(Measure.rejected(rejectionClass).value(of: state) == 1)
    }

    @Test("every class has a bit of its own, final or not")
    func bits() {
        let bits = RejectionClass.allCases.flatMap {
            [DeliveryState.rejected($0), .rejected($0, isFinal: true)]
        }
        #expect(Set(bits).count == 20)
        #expect(bits.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        let others: DeliveryState = [
            .attempted, .accepted, .canReport, .arrived, .presented, .clicked, .dismissed, .recalled, .local,
        ]
        #expect(others.isDisjoint(with: DeliveryState(bits)))
    }

    @Test("among rejections of one push, the final ones decide which class counts")
    func classes() {
        let early: DeliveryState = [.attempted, .rejected(.tokenSuspect)]
        let last: DeliveryState = [.attempted, .rejected(.providerError, isFinal: true)]
        #expect(early.joined(with: last).rejectionClass == .providerError)
        #expect(OutcomeClass.rejected(.unknown).finalRank < OutcomeClass.accepted.rank)
        #expect(OutcomeClass.rejected(.tokenDead).finalRank < OutcomeClass.rejected(.unknown).finalRank)
    }

    @Test("a final suspicion corrects the acceptance of its own push, and no later one")
    func suspicion() {
        let now = Instant(millisecondsSinceEpoch: 1_790_000_000_000)
        var token = Token(tokenID: 1, state: .active)
        token.lastAcceptedAt = now
        var evidence = TokenEvidence(
            outcome: ResponseOutcome(.rejected(.tokenSuspect), .suspect), provider: "apns", status: 400,
            reason: "BadDeviceToken", sentAt: now, invalidSince: nil)
        #expect(TokenRules.change(of: token, after: evidence) == nil)
        evidence.isFinal = true
        #expect(TokenRules.change(of: token, after: evidence) == TokenChange(to: .suspect, rule: .badToken))
        token.lastAcceptedAt = now + .minutes(1)
        #expect(TokenRules.change(of: token, after: evidence) == nil)
    }
}
