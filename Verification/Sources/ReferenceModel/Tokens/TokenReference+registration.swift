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
        let changes = registration.entries.map { register($0, registration, now: now) }
        if isLatest {
            expire(names(of: number), now: now, isOfRun: false)
            wake(names(of: number), now: now)
            ears.hear(.registry, at: at)
        }
        return changes.joined(separator: ", ")
    }

    /// Returns what the app gets in response.
    private mutating func register(
        _ entry: PhoneRegistration.Entry, _ registration: PhoneRegistration, now: Int64
    ) -> String {
        let (name, at) = (entry.token, registration.registeredAt)
        let saidTopic = entry.saysTopic ? history.values[name.value].topic : ""
        if tokens[name]?.topic == "" { tokens[name]?.topic = saidTopic }
        let known = tokens[name]
        let topic = known?.topic ?? saidTopic
        let slot = Slot(
            phone: registration.phone, kind: kind(name), environment: name.environment, topic: topic)
        let holder = slots[slot].flatMap { $0 == name ? nil : $0 }

        // A registration posted late does not override what happened since it was made.
        let since = [known?.registeredAt, known?.diedAt, holder.flatMap { tokens[$0]?.registeredAt }]
        if at < now, let latest = since.compactMap({ $0 }).max(), at <= latest {
            return "refreshed \((known?.state ?? .retired).rawValue)"
        }
        var token =
            known ?? ReferenceToken(state: .active, cause: nil, topic: topic, lifeAt: at, now: now)
        let change = change(known, by: registration.phone, takesSlot: holder != nil)
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
        token.owner = registration.phone
        token.hasValue = true
        token.successor = nil
        token.expiresAt = entry.expiresAt
        token.registeredAt = max(token.registeredAt ?? at, at)
        token.lifeAt = max(token.lifeAt, at)
        token.forgetResponses()
        tokens[name] = token
        for (other, holder) in slots where holder == name { slots[other] = nil }
        slots[slot] = name
        if let holder, tokens[holder]?.state != .retired {
            tokens[holder]?.turn(to: .retired, by: "rotated", at: now) { $0.registeredAt = at }
            tokens[holder]?.successor = name
        }
        return "\(change.word) active"
    }

    /// The word in the response, and the rule in the ledger.
    private func change(
        _ known: ReferenceToken?, by phone: Int, takesSlot: Bool
    ) -> (word: String, rule: String?) {
        guard let known else { return (takesSlot ? "rotated" : "registered", "registered") }
        if let owner = known.owner, owner != phone { return ("transferred", "transferred") }
        let comesBack = known.state != .active
        if takesSlot { return ("rotated", comesBack ? "revived" : "registered") }
        if comesBack { return ("revived", "revived") }
        return known.registeredAt == nil ? ("registered", "registered") : ("refreshed", nil)
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
            // A token retired by responses could be brought back by responses or an operator. After a log-out, it must not be.
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
        let names = names(of: phone)
        let values = names.count { tokens[$0]?.hasValue == true }
        for name in names {
            tokens[name]?.turn(to: .retired, by: "erased", at: now)
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
