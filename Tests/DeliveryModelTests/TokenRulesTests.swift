import DeliveryModel
import Testing

/// The rules as a table: the known state, the response, the result.
struct TokenRulesTests {
    private static let registered = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    /// Responses in these tests are posted soon after the push.
    private static let now = registered + .hours(3)

    private func token(_ state: TokenState, registered: Bool = true) -> Token {
        var token = Token(tokenID: 1, state: state)
        token.lastRegisteredAt = registered ? Self.registered : nil
        return token
    }

    private func evidence(
        _ outcome: ResponseOutcome, sent: Span = .hours(2), invalid: Span? = nil, elsewhere: Bool = false
    ) -> TokenEvidence {
        TokenEvidence(
            outcome: outcome, provider: "apns", status: 0, reason: nil, sentAt: Self.registered + sent,
            invalidSince: invalid.map { Self.registered + $0 }, isKnownInOtherEnvironment: elsewhere)
    }

    private let dead = ResponseOutcome(.rejected(.tokenDead), .invalidateIfNotReregistered)
    private let suspicious = ResponseOutcome(.rejected(.tokenSuspect), .suspect)
    private let accepted = ResponseOutcome(.accepted, .keep)

    @Test(
        "a 410 retires a token that was not registered again since",
        arguments: [TokenState.active, .suspect, .stale])
    func unregistered(state: TokenState) {
        let change = TokenRules.change(of: token(state), after: evidence(dead, invalid: .hours(1)))
        #expect(change == TokenChange(to: .retired, rule: .unregistered))
    }

    @Test("a 410 from before the last registration changes nothing, and says so")
    func late410() {
        let change = TokenRules.change(of: token(.active), after: evidence(dead, invalid: .hours(-1)))
        #expect(change == TokenChange(to: .active, rule: .late410Ignored))
    }

    @Test("a 410 at the exact instant of the registration retires the token: it is not before it")
    func sameInstant() {
        let change = TokenRules.change(of: token(.active), after: evidence(dead, invalid: .seconds(0)))
        #expect(change?.to == .retired)
    }

    @Test("without a timestamp, the time of sending is used")
    func withoutTimestamp() {
        #expect(TokenRules.change(of: token(.active), after: evidence(dead, sent: .hours(1)))?.to == .retired)
        #expect(
            TokenRules.change(of: token(.active), after: evidence(dead, sent: .hours(-1)))?.rule
                == .late410Ignored)
    }

    @Test("a token that no app registered has no registration to compare with: a 410 retires it")
    func neverRegistered() {
        let change = TokenRules.change(
            of: token(.active, registered: false), after: evidence(dead, invalid: .days(-100)))
        #expect(change?.to == .retired)
    }

    @Test("a retired token stays retired, whatever the response", arguments: TokenVerdict.all)
    func retiredStays(verdict: TokenVerdict) {
        let outcome = ResponseOutcome(.rejected(.tokenDead), verdict)
        #expect(TokenRules.change(of: token(.retired), after: evidence(outcome)) == nil)
        #expect(TokenRules.change(of: token(.retired), after: evidence(accepted)) == nil)
    }

    @Test("topic, credential, payload, request, throttling and unknown responses never change a token")
    func keep() {
        for rejectionClass in RejectionClass.allCases {
            for state in TokenState.allCases {
                let outcome = ResponseOutcome(.rejected(rejectionClass), .keep)
                #expect(TokenRules.change(of: token(state), after: evidence(outcome)) == nil)
                #expect(
                    TokenRules.token(token(state), after: evidence(outcome), now: Self.now) == token(state))
            }
        }
    }

    @Test(
        "BadDeviceToken: suspect at first, retired at the second an hour later, if it was never accepted")
    func badToken() {
        let first = evidence(suspicious, sent: .hours(2))
        #expect(
            TokenRules.change(of: token(.active), after: first) == TokenChange(to: .suspect, rule: .badToken))
        let suspect = TokenRules.token(token(.active), after: first, now: Self.now)
        #expect(suspect.state == .suspect)
        #expect(TokenRules.change(of: suspect, after: evidence(suspicious, sent: .minutes(179))) == nil)
        let second = evidence(suspicious, sent: .hours(3))
        #expect(TokenRules.change(of: suspect, after: second) == TokenChange(to: .retired, rule: .badToken))
    }

    @Test("BadDeviceToken never retires a token that was accepted once, or that the other environment knows")
    func badTokenSpares() {
        var suspect = TokenRules.token(
            token(.active), after: evidence(suspicious, sent: .hours(2)), now: Self.now)
        #expect(
            TokenRules.change(of: suspect, after: evidence(suspicious, sent: .days(9), elsewhere: true))
                == nil)
        suspect.lastAcceptedAt = Self.registered
        #expect(TokenRules.change(of: suspect, after: evidence(suspicious, sent: .days(9))) == nil)
    }

    @Test("an acceptance clears an earlier suspicion, and no later one")
    func acceptanceClears() {
        let suspect = TokenRules.token(
            token(.active), after: evidence(suspicious, sent: .hours(2)), now: Self.now)
        #expect(
            TokenRules.change(of: suspect, after: evidence(accepted, sent: .hours(3)))
                == TokenChange(to: .active, rule: .accepted))
        #expect(TokenRules.change(of: suspect, after: evidence(accepted, sent: .hours(1))) == nil)
    }

    @Test("acceptances are written at most once a day")
    func acceptancesAreCoarse() {
        let first = TokenRules.token(
            token(.active), after: evidence(accepted, sent: .hours(1)), now: Self.registered + .hours(1))
        let second = TokenRules.token(
            first, after: evidence(accepted, sent: .hours(20)), now: Self.registered + .hours(20))
        let third = TokenRules.token(
            second, after: evidence(accepted, sent: .hours(26)), now: Self.registered + .hours(26))
        #expect(first.lastAcceptedAt == Self.registered + .hours(1))
        #expect(second == first)
        #expect(third.lastAcceptedAt == Self.registered + .hours(26))
    }

    @Test("responses posted late leave the same token in any order")
    func lateResponsesInAnyOrder() {
        let responses = [
            evidence(accepted, sent: .hours(1)), evidence(suspicious, sent: .hours(2)),
            evidence(accepted, sent: .hours(3)), evidence(suspicious, sent: .hours(4)),
            evidence(accepted, sent: .hours(5)),
        ]
        let later = Self.registered + .days(3)
        func state(_ order: [Int]) -> Token {
            order.reduce(token(.active)) { TokenRules.token($0, after: responses[$1], now: later) }
        }
        var orders: [[Int]] = [[]]
        for _ in responses.indices {
            orders = orders.flatMap { order in
                responses.indices.filter { !order.contains($0) }.map { order + [$0] }
            }
        }
        #expect(orders.count == 120)
        for order in orders {
            #expect(state(order) == state([0, 1, 2, 3, 4]), "\(order)")
            #expect(state(order.filter { $0 < 4 }).state == .suspect, "\(order)")
        }
    }

    @Test("a registration registers, refreshes, rotates, revives or transfers a value")
    func registrations() {
        var mine = token(.active)
        mine.installationID = 7
        var retired = mine
        retired.state = .retired
        func change(_ token: Token?, by installation: Int64 = 7, _ slotHeldAnother: Bool)
            -> RegistrationChange
        {
            TokenRules.registration(of: token, by: installation, slotHeldAnother: slotHeldAnother)
        }
        #expect(change(nil, false) == .registered)
        #expect(change(nil, true) == .rotated)
        #expect(change(mine, false) == .refreshed)
        #expect(change(retired, false) == .revived)
        #expect(change(mine, by: 8, false) == .transferred)
        #expect(change(Token(tokenID: 1, state: .active), false) == .registered)
    }
}

extension TokenVerdict {
    fileprivate static let all: [TokenVerdict] = [.keep, .suspect, .invalidate, .invalidateIfNotReregistered]
}
