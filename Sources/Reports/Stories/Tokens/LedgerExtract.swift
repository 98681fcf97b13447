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
