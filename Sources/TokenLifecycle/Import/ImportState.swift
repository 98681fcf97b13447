internal import DeliveryModel

/// The tokens and slots that lines of an import affect: as they are in the database, and as the lines leave
/// them. It decides and writes nothing, so that a plan and an import reach the same verdicts.
struct ImportState {
    struct Slot: Hashable {
        let installationID: Int64
        let kind: TokenKind
        let environment: Environment
        let topic: String
    }

    struct Transition {
        let entry: Int
        let from: TokenState?
        let change: TokenChange
        var evidence: LedgerEvidence
    }

    /// A value at its provider, under one topic or (with an empty one) under any.
    struct Name: Hashable, Decodable {
        let provider: String
        let environment: Environment
        let fingerprint: [UInt8]
        var topic = ""
    }

    private(set) var entries: [Entry] = []
    /// A slot has several tokens if a registration listed them together.
    private(set) var slots: [Slot: Set<Int>] = [:]
    private(set) var transitions: [Transition] = []
    private(set) var changedEntries: Set<Int> = []
    private(set) var changedSlots: Set<Slot> = []
    /// Tokens that entered or left a slot.
    private(set) var movedEntries: Set<Int> = []

    private var positions: [Int64: Int] = [:]
    private var named: [Name: [Int]] = [:]
    private var slotOfEntry: [Int: Slot] = [:]

    /// Adds an entry from the database; an entry that is already here takes precedence.
    mutating func note(_ entry: Entry) -> Int {
        if let position = positions[entry.token.tokenID], entry.before != nil {
            if let diedAt = entry.diedAt, !changedEntries.contains(position) {
                entries[position].diedAt = diedAt
            }
            return position
        }
        let position = entries.count
        entries.append(entry)
        if entry.before != nil { positions[entry.token.tokenID] = position }
        named[entry.name(), default: []].append(position)
        return position
    }

    mutating func note(_ slot: Slot, heldBy entry: Int) {
        guard slotOfEntry[entry] == nil, !changedSlots.contains(slot), !movedEntries.contains(entry) else {
            return
        }
        slots[slot, default: []].insert(entry)
        slotOfEntry[entry] = slot
    }

    /// Applies the line to the state that the lines before it left.
    ///
    /// - Parameter installationID: the installation of the line's device; `nil` if it names none.
    mutating func decide(_ line: ImportLine, fingerprint: [UInt8], installationID: Int64?) -> ImportVerdict {
        var address = line.address
        let known = find(address, fingerprint)
        let entry = known.map { entries[$0] }
        if entry?.isErased == true { return .erased }
        if address.topic.isEmpty { address.topic = entry?.topic ?? "" }
        let owner = installationID ?? entry?.token.installationID
        let slot = owner.map {
            Slot(
                installationID: $0, kind: address.kind.slotKind, environment: address.environment,
                topic: address.topic)
        }
        let others = (slot.flatMap { slots[$0] } ?? []).filter { $0 != known }
        // A known registration has its place among the others: a line can only add keys.
        let isKnown =
            entry?.token.lastRegisteredAt == line.registeredAt && entry?.token.installationID == owner
        // Values that were registered at the same instant belong to one registration, and share the slot.
        let companions = others.filter { isKnown || entries[$0].token.lastRegisteredAt == line.registeredAt }
        let holders = others.subtracting(companions).sorted()
        let verdict = TokenRules.importVerdict(
            registeredAt: line.registeredAt, installationID: installationID, token: entry?.token,
            diedAt: entry?.diedAt, slotHeldAnother: !holders.isEmpty,
            holderRegisteredAt: holders.compactMap { entries[$0].token.lastRegisteredAt }.max(),
            bringsKeys: line.keys != nil && line.keys != entry?.keys)
        if verdict == .superseded, let holder = holders.max(by: isEarlier) {
            supersede(address, fingerprint, line, owner: owner, known, by: holder)
        }
        guard let change = verdict.change else { return verdict }

        let position = register(address, fingerprint, line, owner: owner, known)
        if let slot { take(slot, position, with: companions) }
        record(
            change, of: entry, position, at: line.registeredAt, owner: owner,
            migrates: holders.contains {
                entries[$0].token.state == .active && entries[$0].kind != address.kind
            })
        for holder in holders { rotate(holder, successor: position, at: line.registeredAt) }
        return verdict
    }

    /// A token first seen without a topic, or registered without one, is the same token (as in `lock_token`).
    private func find(_ address: TokenAddress, _ fingerprint: [UInt8]) -> Int? {
        let name = Name(
            provider: address.provider, environment: address.environment, fingerprint: fingerprint)
        let candidates = named[name, default: []].filter {
            let topic = entries[$0].topic
            return topic == address.topic || topic.isEmpty || address.topic.isEmpty
        }
        return candidates.min { left, right in
            let (left, right) = (entries[left], entries[right])
            let isExact = (left.topic == address.topic, right.topic == address.topic)
            if isExact.0 != isExact.1 { return isExact.0 }
            let registeredAt = (left.token.lastRegisteredAt, right.token.lastRegisteredAt)
            if registeredAt.0 != registeredAt.1 {
                return registeredAt.0.map { left in registeredAt.1.map { left > $0 } ?? true } ?? false
            }
            return left.token.tokenID < right.token.tokenID
        }
    }

    private mutating func register(
        _ address: TokenAddress, _ fingerprint: [UInt8], _ line: ImportLine, owner: Int64?, _ known: Int?
    ) -> Int {
        let position =
            known
            ?? note(
                Entry(
                    provider: address.provider, environment: address.environment, fingerprint: fingerprint,
                    topic: address.topic, kind: address.kind, token: Token(tokenID: 0, state: .active),
                    before: nil, firstSeenAt: line.registeredAt))
        var token = Token(tokenID: entries[position].token.tokenID, state: .active)
        token.installationID = owner
        token.lastRegisteredAt = line.registeredAt
        entries[position].token = token
        entries[position].topic = address.topic
        entries[position].kind = address.kind
        if entries[position].text == nil { entries[position].text = address.text }
        entries[position].isRegistered = true
        entries[position].isUnproven = false
        if let keys = line.keys { entries[position].keys = keys }
        entries[position].diedAt = nil
        entries[position].successor = nil
        changedEntries.insert(position)
        return position
    }

    /// Records a value whose slot a newer one had already taken, as if the lines had come in order: the value
    /// was registered, and then retired.
    private mutating func supersede(
        _ address: TokenAddress, _ fingerprint: [UInt8], _ line: ImportLine, owner: Int64?, _ known: Int?,
        by holder: Int
    ) {
        let before = known.map { entries[$0] }
        let position = register(address, fingerprint, line, owner: owner, known)
        let change: RegistrationChange = before == nil ? .registered : .refreshed
        record(change, of: before, position, at: line.registeredAt, owner: owner)
        leave(position)
        rotate(position, successor: holder, at: entries[holder].token.lastRegisteredAt ?? line.registeredAt)
    }

    private mutating func leave(_ entry: Int) {
        guard let left = slotOfEntry.removeValue(forKey: entry) else { return }
        slots[left]?.remove(entry)
        changedSlots.insert(left)
        movedEntries.insert(entry)
    }

    private func isEarlier(_ left: Int, _ right: Int) -> Bool {
        guard let right = entries[right].token.lastRegisteredAt else { return false }
        return entries[left].token.lastRegisteredAt.map { $0 < right } ?? true
    }

    private mutating func take(_ slot: Slot, _ entry: Int, with companions: Set<Int>) {
        let held = companions.union([entry])
        guard slots[slot] != held else { return }
        for other in slots[slot] ?? [] where !held.contains(other) {
            slotOfEntry[other] = nil
            movedEntries.insert(other)
        }
        if slotOfEntry[entry] != slot { leave(entry) }
        movedEntries.formUnion(held)
        slots[slot] = held
        slotOfEntry[entry] = slot
        changedSlots.insert(slot)
    }

    private mutating func record(
        _ change: RegistrationChange, of known: Entry?, _ entry: Int, at registeredAt: Instant, owner: Int64?,
        migrates: Bool = false
    ) {
        let rule = TokenRules.ledgerRule(
            of: change, token: known?.token, owner: owner,
            changesFeed: known.map { !$0.isFed(as: entries[entry]) } ?? false, migrates: migrates)
        guard let rule else { return }
        transitions.append(
            Transition(
                entry: entry, from: known?.token.state, change: TokenChange(to: .active, rule: rule),
                evidence: LedgerEvidence(
                    registeredAt: registeredAt, fromInstallationID: known?.token.installationID,
                    toInstallationID: owner, source: "import")))
    }

    /// Retires the value that held the slot until now. The ledger gets its successor's id once that exists.
    private mutating func rotate(_ holder: Int, successor: Int, at registeredAt: Instant) {
        let state = entries[holder].token.state
        guard state != .retired else { return }
        entries[holder].token.state = .retired
        let rule = TokenRules.departure(of: entries[holder].kind, to: entries[successor].kind)
        entries[holder].token.cause = rule
        entries[holder].diedAt = registeredAt
        entries[holder].successor = successor
        changedEntries.insert(holder)
        transitions.append(
            Transition(
                entry: holder, from: state, change: TokenChange(to: .retired, rule: rule),
                evidence: LedgerEvidence(registeredAt: registeredAt, source: "import")))
    }
}
