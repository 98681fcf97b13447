internal import Reports

extension TokenFacts {
    /// The expected facts.
    init(_ reference: TokenReference) {
        self.init(reference.history)
        for (number, outcome) in reference.outcomes.enumerated() { add("step \(number)", outcome) }
        for (name, token) in reference.tokens {
            add(
                TokenRow(name, token, holdsSlot: reference.slots.values.contains { $0.contains(name) }),
                ledger: token.ledger)
        }
        for (number, phone) in reference.phones { add(phone: number, PhoneRow(phone)) }
        for (place, breaker) in reference.breakers where breaker.isOpen {
            add("breaker of \(place.environment) '\(place.topic)'", "open")
        }
        let (from, to) = history.pastBounds
        add(
            .tokens, start: reference.tokenCounts(before: from, knownAt: to),
            end: reference.tokenCounts(before: to, knownAt: to),
            moves: reference.tokenMoves(from: from, to: to, knownAt: to))
        add(
            .installations, start: reference.phoneCounts(before: from, knownAt: to),
            end: reference.phoneCounts(before: to, knownAt: to), moves: nil)
    }
}

extension TokenRow {
    fileprivate init(_ name: TokenName, _ token: ReferenceToken, holdsSlot: Bool) {
        self.init(
            name: name, state: token.state.rawValue, cause: token.cause, topic: token.topic,
            owner: token.owner, hasValue: token.hasValue, successor: token.successor?.value,
            holdsSlot: holdsSlot, registeredAt: token.registeredAt, acceptedAt: token.acceptedAt,
            firstRejectedAt: token.rejections.min(), lastRejectedAt: token.rejections.max(),
            diedAt: token.diedAt,
            lifeAt: token.lifeAt, changedAt: token.changedAt, expiresAt: token.expiresAt)
    }
}

extension PhoneRow {
    fileprivate init(_ phone: TokenReference.Phone) {
        self.init(
            permission: phone.permission, appVersion: phone.appVersion, registeredAt: phone.registeredAt,
            lifeAt: phone.lifeAt, erasedAt: phone.erasedAt, accounts: phone.accounts.text,
            permissions: phone.permissions.text)
    }
}
