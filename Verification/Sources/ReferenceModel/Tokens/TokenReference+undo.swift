// `landfall tokens release`, `confirm` and `restore`.

extension TokenReference {
    mutating func decide(_ isRelease: Bool, _ scope: TokenScope, now: Int64) -> String {
        let held = names.filter { tokens[$0]?.isHeld == true && includes(scope, $0) }
        for name in held {
            let (registeredAt, diedAt) = (tokens[name]?.registeredAt, tokens[name]?.diedAt)
            // A release has the same effect as if the responses had never come.
            if isRelease { tokens[name]?.forgetResponses() }
            tokens[name]?.turn(
                to: isRelease ? .active : .retired, by: isRelease ? "released" : "confirmed", at: now
            ) { entry in
                entry.isOfRun = true
                entry.undoneRule = "breaker"
                entry.registeredAt = registeredAt
                entry.invalidSince = diedAt
            }
        }
        let waiting = Set(names.filter { tokens[$0]?.isHeld == true }.map(place))
        for (place, breaker) in breakers where breaker.isOpen && !waiting.contains(place) {
            let isMeant =
                (scope.environment ?? place.environment) == place.environment
                && (scope.topic ?? place.topic) == place.topic
            if isMeant { breakers[place]?.close() }
        }
        return "changed \(held.count)"
    }

    mutating func restore(_ rule: String, _ since: Int64, _ scope: TokenScope, now: Int64) -> String {
        var restored = 0
        var changedSince = 0
        for name in names where includes(scope, name) {
            guard var token = tokens[name],
                let position = token.ledger.firstIndex(where: {
                    $0.rule == rule && $0.at >= since && $0.changesState
                }),
                let before = token.ledger[position].from
            else { continue }
            let hasChanged =
                token.cause != rule
                || token.ledger[(position + 1)...].contains { $0.rule != rule && $0.changesState }
            if hasChanged { changedSince += 1 }
            guard !hasChanged, token.hasValue, !isReplaced(name) else { continue }
            let cause = token.ledger[position].causeBefore
            // A token that waited for a decision waits again, with all its evidence.
            if before == .active { token.forgetResponses() } else if cause != "breaker" { token.diedAt = nil }
            let registeredAt = token.registeredAt
            token.turn(to: before, by: "restored", at: now, because: cause) { entry in
                entry.isOfRun = true
                entry.undoneRule = rule
                entry.registeredAt = registeredAt
            }
            tokens[name] = token
            restored += 1
        }
        return "restored \(restored), changed since \(changedSince)"
    }

    /// Whether another value has its slot by now.
    private func isReplaced(_ name: TokenName) -> Bool {
        guard let token = tokens[name], token.successor == nil else { return true }
        guard let owner = token.owner else { return false }
        let slot = Slot(
            phone: owner, kind: slotKind(name), environment: name.environment, topic: token.topic)
        return slots[slot].map { !$0.isEmpty && !$0.contains(name) } ?? false
    }
}
