// Past states, from the reference's memory. The ledger must give the same.

extension TokenReference {
    /// Tokens that show notifications, by state. The next function counts the same tokens.
    func tokenCounts(before instant: Int64, knownAt: Int64) -> [String: Int64] {
        alertingTokens.reduce(into: [:]) { counts, token in
            if let last = token.ledger(before: instant, knownAt: knownAt).last {
                counts[last.to.rawValue, default: 0] += 1
            }
        }
    }

    func tokenMoves(from: Int64, to: Int64, knownAt: Int64) -> [String: Int64] {
        alertingTokens.reduce(into: [:]) { moves, token in
            let earlier = token.ledger(before: from, knownAt: knownAt).count
            for entry in token.ledger(before: to, knownAt: knownAt).dropFirst(earlier)
            where entry.changesState {
                let from = entry.from?.rawValue ?? "new"
                moves["\(from) → \(entry.to.rawValue) by \(entry.rule)", default: 0] += 1
            }
        }
    }

    private var alertingTokens: [ReferenceToken] {
        tokens.filter { history.values[$0.key.value].isAlerting }.map(\.value)
    }

    /// The state of a phone is the best state of its tokens that show notifications; retired if it lost all
    /// it had.
    func phoneCounts(before instant: Int64, knownAt: Int64) -> [String: Int64] {
        var best: [Int: ReferenceToken.State] = [:]
        let ranks = ReferenceToken.State.allCases
        for (name, token) in tokens where history.values[name.value].isAlerting {
            let ledger = token.ledger(before: instant, knownAt: knownAt)
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
