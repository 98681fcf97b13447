/// How far a soak of tokens came.
public struct TokenSoakOutcome: Sendable {
    public internal(set) var histories = 0
    public internal(set) var steps = 0
    /// Rows of the ledger.
    public internal(set) var transitions = 0
    public internal(set) var failure: TokenSoakFailure?

    public init() {}
}

/// A token history that came out wrong.
public struct TokenSoakFailure: Sendable, CustomStringConvertible {
    public let seed: UInt64
    public let differences: [String]
    /// What is left of it when everything is taken away that it takes not.
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
