import DeliveryModel
import Testing

/// An imported table describes the past: what was heard since takes precedence.
@Suite struct ImportRulesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var registeredAt: Int64 = 100
        var installation: Int64? = 1
        var token: Token?
        var diedAt: Int64?
        var holderRegisteredAt: Int64?
        var slotHeldAnother = false
        let verdict: ImportVerdict
    }

    private static func at(_ hours: Int64) -> Instant { Instant(millisecondsSinceEpoch: hours * 3_600_000) }

    /// A token that installation 1 registered at hour 50, unless stated otherwise.
    private static func token(
        _ state: TokenState, installation: Int64? = 1, registeredAt: Int64? = 50, rejectedAt: Int64? = nil,
        cause: TokenRule? = nil
    ) -> Token {
        var token = Token(tokenID: 7, state: state)
        token.installationID = installation
        token.lastRegisteredAt = registeredAt.map(at)
        token.lastRejectedAt = rejectedAt.map(at)
        token.cause = cause
        return token
    }

    static let cases: [Case] = [
        Case(testDescription: "an unknown value", verdict: .registered),
        Case(testDescription: "an unknown value of nobody", installation: nil, verdict: .registered),
        Case(
            testDescription: "an unknown value in the slot of an older one", holderRegisteredAt: 99,
            slotHeldAnother: true, verdict: .rotated),
        Case(
            testDescription: "an unknown value in the slot of a newer one", holderRegisteredAt: 101,
            slotHeldAnother: true, verdict: .superseded),
        Case(
            testDescription: "a value that only responses named, in the slot of a newer one",
            token: token(.active, installation: nil, registeredAt: nil), holderRegisteredAt: 101,
            slotHeldAnother: true, verdict: .superseded),
        Case(
            testDescription: "a dead value in the slot of a newer one",
            token: token(.retired, cause: .unregistered), diedAt: 99, holderRegisteredAt: 101,
            slotHeldAnother: true, verdict: .outdated),
        Case(
            testDescription: "this very registration of a value that has lost its slot since",
            registeredAt: 50,
            token: token(.retired, cause: .rotated), diedAt: 101, holderRegisteredAt: 101,
            slotHeldAnother: true, verdict: .unchanged),
        Case(
            testDescription: "an unknown value in the slot of one registered that very instant",
            holderRegisteredAt: 100, slotHeldAnother: true, verdict: .superseded),
        Case(
            testDescription: "a value that only responses named",
            token: token(.active, installation: nil, registeredAt: nil), verdict: .registered),
        Case(testDescription: "a later registration", token: token(.active), verdict: .refreshed),
        Case(
            testDescription: "this very registration", registeredAt: 50, token: token(.active),
            verdict: .unchanged),
        Case(
            testDescription: "this very registration, without its device", registeredAt: 50,
            installation: nil,
            token: token(.active), verdict: .unchanged),
        Case(
            testDescription: "this very registration, now with its device", registeredAt: 50,
            token: token(.active, installation: nil), verdict: .refreshed),
        Case(
            testDescription: "the same instant from another device: the first one stands", registeredAt: 50,
            installation: 2, token: token(.active), verdict: .outdated),
        Case(
            testDescription: "an earlier registration", registeredAt: 49, token: token(.active),
            verdict: .outdated),
        Case(
            testDescription: "a later registration from another device", installation: 2,
            token: token(.active),
            verdict: .transferred),
        Case(
            testDescription: "an earlier one from another device", registeredAt: 49, installation: 2,
            token: token(.active), verdict: .outdated),
        Case(
            testDescription: "registered after the 410", token: token(.retired, cause: .unregistered),
            diedAt: 99,
            verdict: .revived),
        Case(
            testDescription: "registered before the 410", token: token(.retired, cause: .unregistered),
            diedAt: 101,
            verdict: .outdated),
        Case(
            testDescription: "dead, and never registered here: the table is older than its death",
            token: token(.retired, installation: nil, registeredAt: nil, cause: .unregistered), diedAt: 101,
            verdict: .outdated),
        Case(
            testDescription: "dead since this very registration", registeredAt: 50,
            token: token(.retired, cause: .unregistered), diedAt: 60, verdict: .unchanged),
        Case(
            testDescription: "registered after the last BadDeviceToken",
            token: token(.suspect, rejectedAt: 99),
            verdict: .revived),
        Case(
            testDescription: "registered before the last BadDeviceToken",
            token: token(.suspect, rejectedAt: 101),
            verdict: .outdated),
        Case(testDescription: "silent, but registered since", token: token(.stale), verdict: .revived),
        Case(
            testDescription: "silent, as of this very registration", registeredAt: 50, token: token(.stale),
            verdict: .unchanged),
    ]

    @Test("a line of an import counts only for what is new in it", arguments: cases)
    func verdicts(_ line: Case) {
        let verdict = TokenRules.importVerdict(
            registeredAt: Self.at(line.registeredAt), installationID: line.installation, token: line.token,
            diedAt: line.diedAt.map(Self.at), slotHeldAnother: line.slotHeldAnother,
            holderRegisteredAt: line.holderRegisteredAt.map(Self.at))
        #expect(verdict == line.verdict)
    }

    @Test("this very registration is news if the table now has the keys of a subscription")
    func keys() {
        func verdict(_ token: Token, bringsKeys: Bool) -> ImportVerdict {
            TokenRules.importVerdict(
                registeredAt: Self.at(50), installationID: nil, token: token, diedAt: nil,
                slotHeldAnother: false, holderRegisteredAt: nil, bringsKeys: bringsKeys)
        }
        #expect(verdict(Self.token(.active), bringsKeys: true) == .refreshed)
        #expect(verdict(Self.token(.active), bringsKeys: false) == .unchanged)
        // Keys say nothing about whether it is in use.
        #expect(verdict(Self.token(.stale), bringsKeys: true) == .unchanged)
    }

    @Test("every change by a registration has a verdict of the same name")
    func names() {
        let changes: [RegistrationChange] = [.registered, .refreshed, .rotated, .revived, .transferred]
        #expect(changes.allSatisfy { ImportVerdict(rawValue: $0.rawValue) != nil })
        #expect(
            ImportVerdict.allCases.filter { $0.change == nil } == [
                .unchanged, .superseded, .outdated, .erased, .invalid,
            ])
    }
}
