import DeliveryModel
import Testing

/// One row per line of what docs/tokens.md says about responses: the known state, the response, the result.
struct TokenRuleTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let known: Known
        let response: Response
        /// `nil` if nothing changes and nothing is written to the ledger.
        let change: TokenChange?

        var testDescription: String { line }

        init(
            _ line: String, _ known: Known, _ response: Response, _ to: TokenState?, _ rule: TokenRule? = nil
        ) {
            self.line = line
            self.known = known
            self.response = response
            self.change = to.flatMap { to in rule.map { TokenChange(to: to, rule: $0) } }
        }
    }

    /// A token; times are hours after the registration.
    struct Known: Sendable {
        var state = TokenState.active
        var cause: TokenRule?
        var isRegistered = true
        var accepted: Int64?
        var firstRejected: Int64?
        var lastRejected: Int64?
        var died: Int64?

        var token: Token {
            var token = Token(tokenID: 1, state: state)
            token.cause = cause
            token.lastRegisteredAt = isRegistered ? registeredAt : nil
            token.lastAcceptedAt = accepted.map(TokenRuleTableTests.hours)
            token.firstRejectedAt = firstRejected.map(TokenRuleTableTests.hours)
            token.lastRejectedAt = lastRejected.map(TokenRuleTableTests.hours)
            token.diedAt = died.map(TokenRuleTableTests.hours)
            return token
        }
    }

    /// A response; times are minutes after the registration.
    struct Response: Sendable {
        var outcome: ResponseOutcome
        var sent: Int64
        var died: Int64?
        var elsewhere = false
        var environment: EnvironmentEvidence?
        var isHeld = false

        var evidence: TokenEvidence {
            var evidence = TokenEvidence(
                outcome: outcome, provider: "apns", status: 0, reason: nil,
                sentAt: registeredAt + .minutes(sent),
                invalidSince: died.map { registeredAt + .minutes($0) },
                isKnownInOtherEnvironment: elsewhere)
            evidence.environment = environment
            return evidence
        }

        static func death(_ died: Int64? = nil, sent: Int64, isHeld: Bool = false) -> Response {
            Response(
                outcome: ResponseOutcome(.rejected(.tokenDead), .invalidateIfNotReregistered), sent: sent,
                died: died,
                isHeld: isHeld)
        }

        static func rejection(
            sent: Int64, elsewhere: Bool = false, _ environment: EnvironmentEvidence? = nil,
            isHeld: Bool = false
        ) -> Response {
            Response(
                outcome: ResponseOutcome(.rejected(.tokenSuspect), .suspect), sent: sent,
                elsewhere: elsewhere,
                environment: environment, isHeld: isHeld)
        }

        static func acceptance(sent: Int64) -> Response {
            Response(outcome: ResponseOutcome(.accepted, .keep), sent: sent)
        }
    }

    private static let registeredAt = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private static func hours(_ count: Int64) -> Instant { registeredAt + .hours(count) }

    private static let suspect = Known(state: .suspect, cause: .badToken, firstRejected: 2, lastRejected: 2)
    private static let held = Known(
        state: .suspect, cause: .breaker, firstRejected: 2, lastRejected: 2, died: 1)
    private static let othersRejected: EnvironmentEvidence = {
        var evidence = EnvironmentEvidence()
        evidence.appVersion = "7.1.0"
        evidence.attemptedCount = 40
        evidence.rejectedCount = 30
        evidence.rejectedPeerCount = 5
        return evidence
    }()

    private static let deathRows = [
        Row(
            "a death after the registration retires", Known(), .death(60, sent: 120), .retired, .unregistered),
        Row("… a suspect token too", suspect, .death(60, sent: 180), .retired, .unregistered),
        Row("… and a stale one", Known(state: .stale), .death(60, sent: 120), .retired, .unregistered),
        Row(
            "a death in the instant of the registration is not before it", Known(), .death(0, sent: 1),
            .retired, .unregistered),
        Row(
            "a death before the registration is ignored, and that is written", Known(), .death(-1, sent: 120),
            .active, .late410Ignored),
        Row(
            "… of a suspect token, which stays suspect", suspect, .death(-1, sent: 180), .suspect,
            .late410Ignored),
        Row(
            "a push sent before the registration is no response about it", Known(), .death(60, sent: -1),
            .active, .late410Ignored),
        Row("without a timestamp the send time stands in", Known(), .death(sent: 1), .retired, .unregistered),
        Row("… also when it is before the registration", Known(), .death(sent: -1), .active, .late410Ignored),
        Row(
            "a token that no app registered has nothing to compare with", Known(isRegistered: false),
            .death(-9_999, sent: -9_998), .retired, .unregistered),
        Row(
            "a retired token stays retired", Known(state: .retired, cause: .rotated), .death(60, sent: 120),
            nil),
        Row(
            "the verdict invalidate is compared with the registration too", Known(),
            Response(outcome: ResponseOutcome(.rejected(.tokenDead), .invalidate), sent: -1), .active,
            .late410Ignored
        ),
        Row(
            "… and retires behind it", Known(),
            Response(outcome: ResponseOutcome(.rejected(.tokenDead), .invalidate), sent: 1), .retired,
            .unregistered),
    ]

    private static let suspicionRows = [
        Row("the first rejection makes suspect", Known(), .rejection(sent: 120), .suspect, .badToken),
        Row("… a stale token too", Known(state: .stale), .rejection(sent: 120), .suspect, .badToken),
        Row("the second an hour later retires", suspect, .rejection(sent: 180), .retired, .badToken),
        Row(
            "… also one posted later that was sent an hour earlier", suspect, .rejection(sent: 60), .retired,
            .badToken),
        Row("within the hour it does not", suspect, .rejection(sent: 179), nil),
        Row(
            "a token that was accepted once is never retired so",
            Known(state: .suspect, cause: .badToken, accepted: 1, firstRejected: 2, lastRejected: 2),
            .rejection(sent: 9_999), nil),
        Row("nor one that the other environment knows", suspect, .rejection(sent: 180, elsewhere: true), nil),
        Row("nor one whose like are rejected just so", suspect, .rejection(sent: 180, othersRejected), nil),
        Row(
            "a push sent before the last acceptance says nothing", Known(accepted: 3), .rejection(sent: 180),
            nil),
        Row("nor one sent before the last registration", Known(), .rejection(sent: -1), nil),
        Row(
            "a retired token stays retired", Known(state: .retired, cause: .unregistered),
            .rejection(sent: 120), nil),
    ]

    private static let acceptanceRows = [
        Row("an acceptance clears suspicion", suspect, .acceptance(sent: 121), .active, .accepted),
        Row("… unless it was sent before the rejection", suspect, .acceptance(sent: 120), nil),
        Row("an active token stays so", Known(), .acceptance(sent: 60), nil),
        Row("silence is not ended by the provider", Known(state: .stale), .acceptance(sent: 60), nil),
        Row(
            "a dead token is not revived by the provider",
            Known(state: .retired, cause: .unregistered, died: 1), .acceptance(sent: 180), nil),
        Row(
            "a token that was retired as malformed is",
            Known(state: .retired, cause: .badToken, firstRejected: 2, lastRejected: 4),
            .acceptance(sent: 300),
            .active, .accepted),
        Row(
            "… to suspect, when it was rejected later",
            Known(state: .retired, cause: .badToken, firstRejected: 2, lastRejected: 4),
            .acceptance(sent: 60),
            .suspect, .accepted),
        Row(
            "… but not when a provider has said since that it died",
            Known(state: .retired, cause: .badToken, firstRejected: 2, lastRejected: 4, died: 5),
            .acceptance(sent: 60), nil),
        Row(
            "… and so when somebody had confirmed it",
            Known(state: .retired, cause: .confirmed, firstRejected: 2, lastRejected: 4),
            .acceptance(sent: 300), .active, .accepted),
        Row(
            "a confirmed death is not", Known(state: .retired, cause: .confirmed, died: 1),
            .acceptance(sent: 300), nil),
    ]

    private static let breakerRows = [
        Row(
            "behind an open breaker a death makes suspect", Known(), .death(60, sent: 120, isHeld: true),
            .suspect, .breaker),
        Row(
            "… a token that is suspect stays so, and waits for a decision", suspect,
            .death(60, sent: 180, isHeld: true), .suspect, .breaker),
        Row("… the second rejection too", suspect, .rejection(sent: 180, isHeld: true), .suspect, .breaker),
        Row("… once: what waits goes on waiting", held, .death(60, sent: 240, isHeld: true), nil),
        Row(
            "a first rejection is what it is", Known(), .rejection(sent: 120, isHeld: true), .suspect,
            .badToken),
        Row(
            "a late 410 is what it is", Known(), .death(-1, sent: 120, isHeld: true), .active,
            .late410Ignored),
        Row(
            "an acceptance of a later push frees what waits", held, .acceptance(sent: 121), .active, .accepted
        ),
        Row("… of an earlier one does not", held, .acceptance(sent: 90), nil),
        Row(
            "with the breaker closed the next death retires", held, .death(60, sent: 240), .retired,
            .unregistered),
    ]

    @Test("a death follows its row", arguments: deathRows) func death(row: Row) { check(row) }
    @Test("a suspicion follows its row", arguments: suspicionRows) func suspicion(row: Row) { check(row) }
    @Test("an acceptance follows its row", arguments: acceptanceRows) func acceptance(row: Row) { check(row) }
    @Test("the breaker follows its row", arguments: breakerRows) func breaker(row: Row) { check(row) }

    private func check(_ row: Row) {
        let token = row.known.token
        let change = TokenRules.change(of: token, after: row.response.evidence, isHeld: row.response.isHeld)
        #expect(change == row.change)
        let after = TokenRules.token(
            token, after: row.response.evidence, now: Self.hours(3), isHeld: row.response.isHeld)
        #expect(after.state == row.change?.to ?? token.state)
        let cause: TokenRule? =
            if after.state == .active {
                nil
            } else if after.state == token.state && row.change?.rule != .breaker {
                token.cause
            } else {
                row.change?.rule
            }
        #expect(after.cause == cause)
    }

    @Test("responses with the verdict 'keep' leave the token as it is", arguments: RejectionClass.allCases)
    func keep(rejectionClass: RejectionClass) {
        let response = Response(outcome: ResponseOutcome(.rejected(rejectionClass), .keep), sent: 999)
        for known in [Known(), Self.suspect, Self.held, Known(state: .stale), Known(state: .retired)] {
            #expect(TokenRules.change(of: known.token, after: response.evidence) == nil)
            #expect(
                TokenRules.token(known.token, after: response.evidence, now: Self.hours(99)) == known.token)
        }
    }

    @Test("a death is remembered in every state, and the later one counts, whatever the order")
    func diedAt() {
        for state in TokenState.allCases {
            let first = TokenRules.token(
                Known(state: state).token, after: Response.death(60, sent: 120).evidence, now: Self.hours(99))
            #expect(first.diedAt == Self.hours(1))
            let later = TokenRules.token(
                first, after: Response.death(180, sent: 240).evidence, now: Self.hours(99))
            #expect(later.diedAt == Self.hours(3))
            let earlier = TokenRules.token(
                later, after: Response.death(120, sent: 180).evidence, now: Self.hours(99))
            #expect(earlier.diedAt == Self.hours(3))
        }
        let late = TokenRules.token(
            Known().token, after: Response.death(-1, sent: 60).evidence, now: Self.hours(2))
        #expect(late.diedAt == nil)
    }

    @Test("a held token is not freed by the acceptance of an earlier push, whatever was accepted before")
    func heldBehindAcceptance() {
        let accepted = Known(accepted: 3).token
        let held = TokenRules.token(
            accepted, after: Response.death(60, sent: 120, isHeld: true).evidence, now: Self.hours(9),
            isHeld: true)
        #expect(held.state == .suspect)
        #expect(held.lastRejectedAt == Self.hours(2))
        #expect(TokenRules.change(of: held, after: Response.acceptance(sent: 90).evidence) == nil)
        let freed = TokenRules.change(of: held, after: Response.acceptance(sent: 240).evidence)
        #expect(freed == TokenChange(to: .active, rule: .accepted))
    }

    @Test(
        "a registration dated before the death is outdated; one after it is not, and one made now never is"
    )
    func datedBack() {
        let dead = Known(state: .retired, cause: .unregistered, died: 5).token
        func isOutdated(_ hours: Int64, now: Int64 = 100) -> Bool {
            TokenRules.isOutdated(
                registeredAt: Self.hours(hours), now: Self.hours(now), token: dead, holderRegisteredAt: nil)
        }
        #expect(isOutdated(-1))
        #expect(isOutdated(3))
        #expect(isOutdated(5))
        #expect(!isOutdated(6))
        #expect(!isOutdated(3, now: 3))
    }

    struct Registered: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: Token?
        let slotHeldAnother: Bool
        let change: RegistrationChange
        let rule: TokenRule?
    }

    private static func owned(by installationID: Int64?, _ state: TokenState) -> Token {
        var token = Token(tokenID: 1, state: state)
        token.installationID = installationID
        token.lastRegisteredAt = installationID == nil ? nil : registeredAt
        return token
    }

    private static var ownerless: Token {
        var token = owned(by: nil, .active)
        token.lastRegisteredAt = registeredAt
        return token
    }

    private static let registrationRows =
        [
            Registered(
                testDescription: "a new value", known: nil, slotHeldAnother: false, change: .registered,
                rule: .registered),
            Registered(
                testDescription: "a new value in a slot that held another", known: nil, slotHeldAnother: true,
                change: .rotated, rule: .registered),
            Registered(
                testDescription: "the same value again", known: owned(by: 7, .active), slotHeldAnother: false,
                change: .refreshed, rule: nil),
            Registered(
                testDescription: "a value that only a sender knew", known: owned(by: nil, .active),
                slotHeldAnother: false, change: .registered, rule: .registered),
            Registered(
                testDescription: "a value imported without its device", known: ownerless,
                slotHeldAnother: false, change: .refreshed, rule: .registered),
            Registered(
                testDescription: "a value of another installation", known: owned(by: 8, .active),
                slotHeldAnother: false, change: .transferred, rule: .transferred),
            Registered(
                testDescription: "a retired value comes back to a slot that held another",
                known: owned(by: 7, .retired), slotHeldAnother: true, change: .rotated, rule: .revived),
        ]
        + [TokenState.suspect, .stale, .retired].map {
            Registered(
                testDescription: "a \($0) value again", known: owned(by: 7, $0), slotHeldAnother: false,
                change: .revived, rule: .revived)
        }

    @Test("a registration follows its row", arguments: registrationRows) func registration(row: Registered) {
        let change = TokenRules.registration(of: row.known, by: 7, slotHeldAnother: row.slotHeldAnother)
        #expect(change == row.change)
        #expect(TokenRules.ledgerRule(of: change, token: row.known, owner: 7) == row.rule)
    }

    @Test("a value of another kind takes a slot as a migration, unless nothing active leaves or it is active")
    func migration() {
        func rule(_ known: Token?, _ migrates: Bool) -> TokenRule? {
            TokenRules.ledgerRule(of: .rotated, token: known, owner: 7, migrates: migrates)
        }
        #expect(rule(nil, true) == .providerMigration)
        #expect(rule(nil, false) == .registered)
        for state in [TokenState.suspect, .stale, .retired] {
            #expect(rule(Self.owned(by: 7, state), true) == .providerMigration)
        }
        #expect(rule(Self.owned(by: 7, .active), true) == .registered)
        #expect(TokenRules.departure(of: .fcm, to: .fid) == .providerMigration)
        #expect(TokenRules.departure(of: .fid, to: .fcm) == .providerMigration)
        #expect(TokenRules.departure(of: .fid, to: .fid) == .rotated)
    }

    @Test("a refresh is a row of the ledger if it changes what feeds say of the token, and none if not")
    func changedInFeeds() {
        func rule(_ change: RegistrationChange, _ changesFeed: Bool) -> TokenRule? {
            TokenRules.ledgerRule(
                of: change, token: Self.owned(by: 7, .active), owner: 7, changesFeed: changesFeed)
        }
        #expect(rule(.refreshed, true) == .registered)
        #expect(rule(.refreshed, false) == nil)
        #expect(rule(.revived, true) == .revived)
    }

    @Test(
        "the first acceptance of an unproven token is a row of the ledger, in any state",
        arguments: TokenState.allCases)
    func proof(state: TokenState) {
        var token = Known(state: state).token
        token.isUnproven = true
        let acceptance = Response.acceptance(sent: 60).evidence
        let change = TokenRules.change(of: token, after: acceptance)
        #expect(change == TokenChange(to: state == .suspect ? .active : state, rule: .accepted))
        #expect(TokenRules.change(of: token, after: acceptance, isHeld: true) == change)
        let proven = TokenRules.token(token, after: acceptance, now: Self.hours(3))
        #expect(!proven.isUnproven)
        #expect(proven.cause == nil)
        #expect(TokenRules.change(of: proven, after: Response.acceptance(sent: 120).evidence) == nil)
        #expect(TokenRules.change(of: token, after: Response.death(-1, sent: 60).evidence)?.rule != .accepted)
    }

    @Test("repeating an import that names no device writes no row for it") func refreshedWithoutOwner() {
        #expect(TokenRules.ledgerRule(of: .refreshed, token: Self.ownerless, owner: nil) == nil)
    }
}
