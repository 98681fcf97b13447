// PUT /v1/devices/{device_id}, log-out and erasure.

extension TokenReference {
    mutating func register(_ registration: PhoneRegistration, now: Int64) -> String {
        let number = registration.phone
        if phones[number]?.erasedAt != nil { return "erased_device" }
        let at = registration.registeredAt
        // The phone's traits are updated unless it registered later ones.
        let isLatest = phones[number].map { $0.registeredAt <= at } ?? true
        var phone = phones[number] ?? Phone(registeredAt: at, lifeAt: at)
        if isLatest {
            phone.registeredAt = at
            phone.lifeAt = max(phone.lifeAt, at)
            phone.permission = registration.permission ?? phone.permission
            phone.appVersion = registration.appVersion ?? phone.appVersion
            if let account = registration.account { phone.accounts.go(over: account, at: at) }
            if let permission = registration.permission {
                phone.permissions.go(over: permission, at: at, isAlone: true)
            }
        }
        phones[number] = phone
        let changes = listedChanges(registration, now: now)
        if isLatest {
            expire(names(of: number), now: now, isOfRun: false)
            wake(names(of: number), now: now)
            ears.hear(.registry, at: at)
        }
        return changes.joined(separator: ", ")
    }

    /// Returns what the app gets in response to each listed token.
    private mutating func listedChanges(_ registration: PhoneRegistration, now: Int64) -> [String] {
        let at = registration.registeredAt
        let slotOf = registration.entries.map { slot(of: $0, phone: registration.phone) }
        var turns: [Slot: Turn] = [:]
        for slot in slotOf where turns[slot] == nil {
            let listed = zip(registration.entries, slotOf).filter { $1 == slot }.map(\.0.token)
            turns[slot] = turn(
                of: slot, listed: listed, among: Set(registration.entries.map(\.token)),
                phone: registration.phone, at: at, now: now)
        }
        let before = tokens
        let changes = zip(registration.entries, slotOf).map { entry, slot in
            register(entry, slot, turns[slot] ?? Turn(), registration, known: before[entry.token], now: now)
        }
        for (slot, turn) in turns {
            guard let successor = turn.successor else { continue }
            for holder in turn.leaving {
                slots[slot]?.remove(holder)
                guard tokens[holder]?.state != .retired else { continue }
                let rule = kind(holder) == kind(successor) ? "rotated" : "provider_migration"
                tokens[holder]?.turn(to: .retired, by: rule, at: now) { $0.registeredAt = at }
                tokens[holder]?.successor = successor
            }
        }
        return changes
    }

    private func slot(of entry: PhoneRegistration.Entry, phone: Int) -> Slot {
        let saidTopic = entry.saysTopic ? history.values[entry.token.value].topic : ""
        let knownTopic = tokens[entry.token]?.topic ?? ""
        return Slot(
            phone: phone, kind: slotKind(entry.token), environment: entry.token.environment,
            topic: knownTopic.isEmpty ? saidTopic : knownTopic)
    }

    /// The effect of a registration on a slot.
    private struct Turn {
        var holders: Set<TokenName> = []
        /// The tokens that lose their place.
        var leaving: Set<TokenName> = []
        /// Whether another value keeps its place because it alternates with a listed one.
        var alternates = false
        var outdated: Set<TokenName> = []
        var successor: TokenName?
    }

    /// - Parameter all: the tokens of the registration, in any slot.
    private func turn(
        of slot: Slot, listed: [TokenName], among all: Set<TokenName>, phone: Int, at: Int64, now: Int64
    ) -> Turn {
        var turn = Turn(holders: slots[slot] ?? [])
        // A value that the app lists in another slot moves there.
        let others = turn.holders.subtracting(all)
        let month = at - 30 * Self.day
        let isReturning = listed.contains { returnedAt($0, phone: phone, at: at).map { $0 > month } ?? false }
        turn.leaving = others.filter { other in
            guard isReturning, let token = tokens[other], token.state == .active,
                let returned = token.returnedAt,
                let registered = token.registeredAt
            else { return true }
            return returned <= month || registered <= month
        }
        turn.alternates = turn.leaving != others
        // A registration that is posted late does not override later changes.
        let held = turn.leaving.compactMap { tokens[$0]?.registeredAt }
        turn.outdated = Set(
            listed.filter { name in
                let since = held + [tokens[name]?.registeredAt, tokens[name]?.diedAt].compactMap { $0 }
                return at < now && since.contains { at <= $0 }
            })
        turn.successor = listed.first { !turn.outdated.contains($0) }
        return turn
    }

    private func returnedAt(_ name: TokenName, phone: Int, at: Int64) -> Int64? {
        guard let token = tokens[name], token.owner == phone else { return nil }
        let isReplaced = ["rotated", "provider_migration"].contains(token.cause)
        return token.state == .retired && isReplaced ? at : token.returnedAt
    }

    /// Returns what the app gets in response.
    private mutating func register(
        _ entry: PhoneRegistration.Entry, _ slot: Slot, _ turn: Turn, _ registration: PhoneRegistration,
        known: ReferenceToken?, now: Int64
    ) -> String {
        let (name, at) = (entry.token, registration.registeredAt)
        guard !turn.outdated.contains(name) else { return "refreshed \((known?.state ?? .retired).rawValue)" }
        var token =
            known ?? ReferenceToken(state: .active, cause: nil, topic: slot.topic, lifeAt: at, now: now)
        let takesSlot = name == turn.successor && !turn.leaving.isEmpty && !turn.holders.contains(name)
        let migrates = turn.leaving.contains { tokens[$0]?.state == .active && kind($0) != kind(name) }
        let change = change(
            known, by: registration.phone, topic: slot.topic, takesSlot: takesSlot,
            migrates: takesSlot && migrates)
        token.topic = slot.topic
        if let rule = change.rule {
            if known == nil {
                token.write(
                    .init(
                        at: now, rule: rule, from: nil, to: .active, registeredAt: at,
                        taker: registration.phone))
            } else {
                token.turn(to: .active, by: rule, at: now) { entry in
                    entry.registeredAt = at
                    entry.taker = registration.phone
                }
            }
        }
        let returnedAt = returnedAt(name, phone: registration.phone, at: at)
        token.returnedAt = turn.alternates && returnedAt != nil ? at : returnedAt
        if token.owner != registration.phone { token.ignored = [] }
        token.owner = registration.phone
        token.hasValue = true
        token.successor = nil
        token.expiresAt = entry.expiresAt
        token.registeredAt = max(token.registeredAt ?? at, at)
        token.lifeAt = max(token.lifeAt, at)
        token.forgetResponses()
        tokens[name] = token
        for other in slots.keys where other != slot { slots[other]?.remove(name) }
        slots[slot, default: []].insert(name)
        merge(intoOwner: registration.phone, name, now: now)
        return "\(change.word) active"
    }

    /// Retires the token that only responses knew in the other environment, because a registered value is one
    /// token.
    private mutating func merge(intoOwner phone: Int, _ name: TokenName, now: Int64) {
        for (other, token) in tokens
        where other.value == name.value && other != name && token.registeredAt == nil
            && token.cause != "merged"
        {
            tokens[other]?.turn(to: .retired, by: "merged", at: now)
            tokens[other]?.successor = name
            tokens[other]?.owner = phone
        }
    }

    /// The word in the response, and the rule in the ledger.
    private func change(
        _ known: ReferenceToken?, by phone: Int, topic: String, takesSlot: Bool, migrates: Bool
    ) -> (word: String, rule: String?) {
        guard let known else {
            return (takesSlot ? "rotated" : "registered", migrates ? "provider_migration" : "registered")
        }
        if let owner = known.owner, owner != phone { return ("transferred", "transferred") }
        let comesBack = known.state != .active
        if takesSlot, migrates, comesBack { return ("rotated", "provider_migration") }
        if takesSlot { return ("rotated", comesBack ? "revived" : "registered") }
        if comesBack { return ("revived", "revived") }
        if known.registeredAt == nil { return ("registered", "registered") }
        // Senders learn the topic that the app had left out.
        return ("refreshed", known.topic == topic ? nil : "registered")
    }

    /// Retires expired tokens and removes their values.
    @discardableResult
    mutating func expire(_ names: [TokenName], now: Int64, isOfRun: Bool) -> Int {
        let over = names.filter { isOver($0, now: now) }
        for name in over {
            tokens[name]?.turn(to: .retired, by: "expired", at: now) { $0.isOfRun = isOfRun }
            tokens[name]?.hasValue = false
        }
        return over.count
    }

    /// Whether the token has expired but is not retired yet.
    func isOver(_ name: TokenName, now: Int64) -> Bool {
        guard let token = tokens[name], token.state != .retired else { return false }
        return token.expiresAt.map { $0 <= now } ?? false
    }

    mutating func logOut(_ phone: Int, now: Int64) -> String {
        guard let known = phones[phone], known.erasedAt == nil else { return "false" }
        for name in names(of: phone) {
            // A token retired by responses could be brought back by responses or an operator. After a
            // log-out, it must not be.
            let isJudged = ["unregistered", "bad_token", "confirmed"].contains(tokens[name]?.cause)
            guard tokens[name]?.state != .retired || isJudged else { continue }
            tokens[name]?.turn(to: .retired, by: "logged_out", at: now)
        }
        free(phone)
        phones[phone]?.accounts.go(over: "", at: now)
        return "true"
    }

    mutating func erase(_ phone: Int, now: Int64) -> String {
        guard let known = phones[phone] else { return "unknown" }
        if known.erasedAt != nil { return "the same receipt" }
        // Tokens that were merged into its own have the same values.
        let own = Set(names(of: phone).map(\.value))
        let names = names.filter { name in
            tokens[name]?.owner == phone || tokens[name]?.cause == "merged" && own.contains(name.value)
        }
        let values = names.count { tokens[$0]?.hasValue == true }
        for name in names {
            // What is said under the address of a merged token is still about its successor.
            let isMerged = tokens[name]?.cause == "merged"
            tokens[name]?.turn(to: .retired, by: "erased", at: now, because: isMerged ? "merged" : nil)
            tokens[name]?.hasValue = false
            tokens[name]?.expiresAt = nil
        }
        free(phone)
        phones[phone] = Phone(registeredAt: known.registeredAt, lifeAt: known.lifeAt, erasedAt: now)
        return "tokens \(names.count), values \(values), accounts \(known.accounts.count), "
            + "permissions \(known.permissions.count)"
    }

    private mutating func free(_ phone: Int) {
        for slot in slots.keys where slot.phone == phone { slots[slot] = nil }
    }
}
