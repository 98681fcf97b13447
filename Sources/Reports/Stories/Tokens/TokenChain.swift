/// The values that held a slot one after the other: those before a token, the token, and those after it.
public enum TokenChain {
    /// Follows the links in both directions. In time order, including the token.
    ///
    /// - Parameters:
    ///   - token: the token to begin with.
    ///   - others: the tokens that may be linked to it, in any order.
    public static func order(_ token: TokenProfile, among others: [TokenProfile]) -> [TokenProfile] {
        var seen: Set = [token.tokenID]
        var successors: [TokenProfile] = []
        var next = token.successorID
        while let id = next, seen.insert(id).inserted, let found = others.first(where: { $0.tokenID == id }) {
            successors.append(found)
            next = found.successorID
        }
        var predecessors: [TokenProfile] = []
        var targets: Set = [token.tokenID]
        while !targets.isEmpty {
            let found = others.filter { other in
                guard let successorID = other.successorID else { return false }
                return targets.contains(successorID) && !seen.contains(other.tokenID)
            }
            for other in found { seen.insert(other.tokenID) }
            predecessors += found
            targets = Set(found.map(\.tokenID))
        }
        // A value may have left a slot and returned; the instants at which values left it give the order.
        return predecessors.sorted { ($0.stateChangedAt, $0.tokenID) < ($1.stateChangedAt, $1.tokenID) }
            + [token] + successors
    }
}
