public import DeliveryModel
public import Instants

/// One row of the ledger: what a rule did to a token, and its evidence.
public struct LedgerEntry: Hashable, Decodable, Sendable {
    public let transitionID: Int64
    public let tokenID: Int64
    /// The instant of Landfall's decision.
    public let at: Instant
    /// `nil` if the token was not known before.
    public let fromState: String?
    public let toState: String
    /// As recorded; ``rule`` is `nil` if this version of Landfall does not know it.
    public let ruleName: String
    public let evidence: RecordedEvidence
    /// The token run that did it, such as a sweep.
    public let runID: Int64?

    public var rule: TokenRule? { TokenRule(rawValue: ruleName) }

    /// False if a rule decided to change nothing and that was worth recording.
    public var changesState: Bool { fromState != toState }

    /// The rule in plain words.
    public var words: RuleWords {
        rule?.words(leadingTo: TokenState(rawValue: toState))
            ?? RuleWords("This version of Landfall does not know the rule \(ruleName).")
    }
}

/// The newest rows of the ledger about some tokens.
public struct LedgerExtract: Hashable, Sendable {
    /// In time order.
    public let entries: [LedgerEntry]
    /// The number of older rows that were left out.
    public let earlierCount: Int64

    /// The entry that led to a token's current state.
    func lastChange(of tokenID: Int64) -> LedgerEntry? {
        entries.last { $0.tokenID == tokenID && $0.changesState }
    }
}
