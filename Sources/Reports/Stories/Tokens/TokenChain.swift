/// The values that held a slot one after the other: what led to a token, the token, and what came of it.
public enum TokenChain {
    /// Follows the links both ways. In time order, the token included.
    ///
    /// - Parameters:
    ///   - token: where to begin.
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
        // A slot may have gone back and forth; when each value left it tells the order.
        return predecessors.sorted { ($0.stateChangedAt, $0.tokenID) < ($1.stateChangedAt, $1.tokenID) }
            + [token] + successors
    }
}
