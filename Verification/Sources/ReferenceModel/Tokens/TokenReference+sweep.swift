// `landfall tokens sweep --apply`.

extension TokenReference {
    mutating func sweep(_ maxShare: Double, now: Int64) -> String {
        let over = names.filter { isOver($0, now: now) }
        // An expiration that the app set is no judgment, so it counts in no share.
        let judged = names.filter { tokens[$0]?.state != .retired && !over.contains($0) }
        let silent = judged.filter { tokens[$0]?.state != .stale && isSilent($0, now: now) }
        let outlived = judged.filter { name in
            guard let token = tokens[name], token.state == .stale else { return false }
            return token.changedAt < now - history.settings.sweepAfterDays * Self.day
        }
        if let rejection = rejection(maxShare, judged: judged, silent: silent, outlived: outlived, now: now) {
            return rejection
        }
        expire(over, now: now, isOfRun: true)
        for name in outlived {
            tokens[name]?.turn(to: .retired, by: "swept", at: now) { $0.isOfRun = true }
            tokens[name]?.hasValue = false
        }
        for name in silent { tokens[name]?.turn(to: .stale, by: "stale", at: now) { $0.isOfRun = true } }
        return "stale \(silent.count), swept \(outlived.count), expired \(over.count)"
    }

    private func rejection(
        _ maxShare: Double, judged: [TokenName], silent: [TokenName], outlived: [TokenName], now: Int64
    ) -> String? {
        // A sweep without candidates is never refused.
        guard !silent.isEmpty || !outlived.isEmpty else { return nil }
        guard let heardAt = ears.heardAt, now - heardAt < Self.day else {
            return "refused: nobody was heard"
        }
        let audience = Dictionary(grouping: judged.filter(isReached), by: listener)
        let lost = audience.values.count { names in names.allSatisfy { silent.contains($0) } }
        let isTooMany =
            Double(lost) > maxShare * Double(audience.count)
            || Double(outlived.count) > maxShare * Double(judged.count)
        return isTooMany ? "refused: too many" : nil
    }

    /// The place where a notification is shown: a phone, or a token that no phone has registered.
    private enum Listener: Hashable {
        case phone(Int)
        case token(TokenName)
    }

    private func listener(_ name: TokenName) -> Listener {
        tokens[name]?.owner.map(Listener.phone) ?? .token(name)
    }

    private func isReached(_ name: TokenName) -> Bool {
        guard let token = tokens[name], token.state == .active else { return false }
        let permission = token.owner.flatMap { phones[$0]?.permission }
        return history.values[name.value].isAlerting && permission != "denied"
    }

    /// Whether neither the token nor its phone was heard from for too long.
    private func isSilent(_ name: TokenName, now: Int64) -> Bool {
        guard let token = tokens[name] else { return false }
        let phoneLifeAt = token.owner.flatMap { phones[$0]?.lifeAt }
        return max(token.lifeAt, phoneLifeAt ?? token.lifeAt)
            < now - history.settings.staleAfterDays * Self.day
    }
}
