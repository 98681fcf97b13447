/// What a trial found.
public struct CellOutcome: Sendable, CustomStringConvertible {
    /// The number of items that servers acknowledged.
    public internal(set) var items = 0
    /// How often each was killed.
    public internal(set) var kills: [String: Int] = [:]
    /// Everything else that is worth printing.
    public internal(set) var lines: [String] = []
    /// What was lost, recorded twice or fed in another order.
    public internal(set) var differences: [String] = []

    public var isRight: Bool { differences.isEmpty }

    public var description: String {
        let killed = kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return
            (["\(items) items acknowledged; killed: \(killed.joined(separator: ", "))"] + lines
            + ["\(differences.count) differences"] + differences).joined(separator: "\n")
    }
}
