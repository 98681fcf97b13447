/// The progress of a token soak.
public struct TokenSoakOutcome: Sendable {
    public internal(set) var histories = 0
    public internal(set) var steps = 0
    /// Rows of the ledger.
    public internal(set) var transitions = 0
    public internal(set) var failure: TokenSoakFailure?

    public init() {}
}

/// A token history with a wrong result.
public struct TokenSoakFailure: Sendable, CustomStringConvertible {
    public let seed: UInt64
    public let differences: [String]
    /// The history without the parts that the failure does not need.
    public let smallest: TokenHistory
    public let smallestDifferences: [String]

    public var description: String {
        """
        The token history of seed \(seed) has \(differences.count) wrong results. The smallest part of it \
        that still fails:
        \(smallest)

        \(smallestDifferences.joined(separator: "\n"))
        """
    }
}
