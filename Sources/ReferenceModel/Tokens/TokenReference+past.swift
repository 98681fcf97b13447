// What was, by memory. The ledger has to tell the same.

extension TokenReference {
    func tokenCounts(before instant: Int64) -> [String: Int64] {
        tokens.values.reduce(into: [:]) { counts, token in
            if let last = token.ledger(before: instant).last { counts[last.to.rawValue, default: 0] += 1 }
        }
    }

    /// The state of a phone is the best one of its tokens that show notifications; retired when it lost all it had.
    func phoneCounts(before instant: Int64) -> [String: Int64] {
        var best: [Int: ReferenceToken.State] = [:]
        let ranks = ReferenceToken.State.allCases
        for (name, token) in tokens where history.values[name.value].isAlerting {
            let ledger = token.ledger(before: instant)
            for phone in ledger.compactMap(\.taker) where best[phone] == nil { best[phone] = .retired }
            guard let holder = ledger.last(where: { $0.taker != nil })?.taker, let state = ledger.last?.to,
                let known = best[holder], let rank = ranks.firstIndex(of: state),
                let knownRank = ranks.firstIndex(of: known)
            else { continue }
            best[holder] = ranks[min(rank, knownRank)]
        }
        return best.values.reduce(into: [:]) { $0[$1.rawValue, default: 0] += 1 }
    }
}
