internal import DeliveryModel
internal import PostgresClient
internal import Vault

/// A token of a registration, and what is known about it.
struct ListedToken {
    let posted: TokenAddress
    /// The token's position in the app's list, from 0.
    let position: Int
    let fingerprint: [UInt8]
    /// The posted keys of a Web Push subscription; `nil` leaves the known ones as they are.
    let keys: WebPushKeys?
    /// Whether feeds say something else of the known token from now on.
    var changesFeed = false
    /// Whether the known token has no topic yet.
    var namesTopic = false
    /// The address, with the topic of the known token if the app does not state one.
    var address: TokenAddress
    /// The value as the known token spells it, or else as the app does: two callers that spell it differently
    /// do not change it at each visit.
    var text: [UInt8]
    var known: Token?

    init(_ posted: TokenAddress, position: Int, fingerprint: [UInt8], keys: WebPushKeys? = nil) {
        self.posted = posted
        self.position = position
        self.fingerprint = fingerprint
        self.keys = keys
        address = posted
        text = Array(posted.text.utf8)
    }

    var slot: TokenSlot {
        TokenSlot(kind: address.kind.slotKind, environment: address.environment, topic: address.topic)
    }

    func isSameValue(as other: ListedToken) -> Bool {
        fingerprint == other.fingerprint && address.provider == other.address.provider
            && address.environment == other.address.environment
    }
}

/// A place of an installation for tokens that follow one another.
struct TokenSlot: Hashable {
    let kind: TokenKind
    let environment: Environment
    let topic: String
}

/// A registration whose installation is described: what it does with tokens, account and permission.
struct TokenRegistration {
    let vault: TokenVault
    let connection: PostgresConnection
    let appID: Int64
    let installationID: Int64
    let registeredAt: Instant
    let now: Instant
    let isVouched: Bool

    /// Makes these tokens the active ones of their slots. Those of other slots stay as they are.
    ///
    /// - Parameter listed: in the order in which rows are locked.
    /// - Returns: one outcome each, in the order of the app's list.
    func register(_ listed: [ListedToken], expirations: [TokenAddress: Instant]) throws -> [RegisteredToken] {
        let listed = try lock(listed)
        let listedIDs = Set(listed.compactMap(\.known?.tokenID))
        var turns: [TokenSlot: SlotTurn] = [:]
        for token in listed where turns[token.slot] == nil {
            turns[token.slot] = SlotTurn(
                listed.filter { $0.slot == token.slot }, holders: try holders(of: token.slot),
                listedIDs: listedIDs, self)
        }
        var registered = [RegisteredToken?](repeating: nil, count: listed.count)
        var written: [(token: ListedToken, id: Int64, turn: SlotTurn)] = []
        for token in listed {
            guard let turn = turns[token.slot] else { continue }
            guard !turn.isOutdated(token) else {
                registered[token.position] = RegisteredToken(
                    address: token.posted, state: token.known?.state ?? .retired, change: .refreshed,
                    tokenID: token.known?.tokenID, isNew: false, mayHaveStrays: false)
                continue
            }
            let id = try write(
                token, expiresAt: expirations[token.posted], returnedAt: turn.returnedAt(of: token))
            try takeSlot(token.address, tokenID: id)
            written.append((token, id, turn))
            registered[token.position] = RegisteredToken(
                address: token.posted, state: .active, change: turn.change(of: token), tokenID: id,
                isNew: token.known == nil, mayHaveStrays: token.known?.installationID == nil)
        }
        merge(written.map { ($0.token.fingerprint, $0.id) })
        for (token, id, turn) in written {
            let change = turn.change(of: token)
            let migrates = change == .rotated && turn.migrates(to: token.address.kind)
            try record(change, of: token, migrates: migrates, tokenID: id)
            guard turn.successor?.position == token.position else { continue }
            for holder in turn.leaving {
                let rule = TokenRules.departure(of: holder.kind, to: token.address.kind)
                try rotate(holder.tokenID, rule, successor: id)
            }
        }
        return registered.compactMap(\.self)
    }

    /// Locks the known tokens. A value that is listed twice, such as under two kinds, is one token: the last
    /// one says what it is, and a topic that one of them states is the other's.
    private func lock(_ listed: [ListedToken]) throws -> [ListedToken] {
        var tokens = try listed.map { token in
            var token = token
            if token.address.topic.isEmpty {
                let same = listed.first { $0.isSameValue(as: token) && !$0.address.topic.isEmpty }
                token.address.topic = same?.address.topic ?? ""
            }
            return try lock(token)
        }
        var ids: Set<Int64> = []
        for index in tokens.indices.reversed() {
            guard let id = tokens[index].known?.tokenID else { continue }
            if !ids.insert(id).inserted { tokens[index].changesFeed = false }
        }
        return tokens
    }

    /// Locks the known token with this value. If either the app or the sender did not state the topic, the
    /// other's topic is used.
    private func lock(_ token: ListedToken) throws -> ListedToken {
        var token = token
        let rows = try connection.query(
            .Tokens.lockToken,
            [
                .value(token.fingerprint), .value(appID), .value(token.address.provider),
                .value(token.address.environment.rawValue), .value(token.address.topic),
            ])
        guard let row = rows.first, let known = try Token.all(in: rows).first else { return token }
        token.known = known
        let topic = try row.get("topic", as: String.self)
        if token.address.topic.isEmpty { token.address.topic = topic }
        token.namesTopic = topic != token.address.topic
        let sealed = try row.getOptional("sealed_value", as: [UInt8].self)
        let text = sealed.flatMap { try? vault.open($0, from: .token(ofApp: appID)) }
        if let text { token.text = text }
        token.changesFeed =
            try token.namesTopic || text == nil
            || row.get("kind", as: String.self) != token.address.kind.rawValue
            || token.keys != nil && token.keys != (try? vault.webPushKeys(of: row, ofApp: appID))
        return token
    }

    private func holders(of slot: TokenSlot) throws -> [SlotHolder] {
        try connection.query(
            .Tokens.readSlot,
            [
                .value(installationID), .value(slot.kind.rawValue), .value(slot.environment.rawValue),
                .value(slot.topic),
            ]
        ).map { row in
            SlotHolder(
                tokenID: try row.get("token_id"), kind: try row.get("kind"), state: try row.get("state"),
                registeredAt: try row.getOptional("last_registered_at"),
                returnedAt: try row.getOptional("returned_at"))
        }
    }

    private func write(_ token: ListedToken, expiresAt: Instant?, returnedAt: Instant?) throws -> Int64 {
        let address = token.address
        if let known = token.known, token.namesTopic {
            try connection.query(.Tokens.nameTopic, [.value(known.tokenID), .value(address.topic)])
        }
        return try connection.query(
            .Tokens.registerToken,
            [
                .value(appID), .value(address.provider), .value(address.environment.rawValue),
                .value(address.topic), .value(token.fingerprint), .value(address.kind.rawValue),
                .value(try vault.seal(token.text, for: .token(ofApp: appID))),
                .value(installationID), .value(registeredAt), .value(now), .value(expiresAt),
                .value(returnedAt), .value(isVouched),
                .value(try token.keys.map { try vault.seal($0, ofApp: appID) }),
            ]
        ).single().get("token_id")
    }

    private func takeSlot(_ address: TokenAddress, tokenID: Int64) throws {
        try connection.query(
            .Tokens.leaveOtherSlots,
            [
                .value(tokenID), .value(installationID), .value(address.kind.slotKind.rawValue),
                .value(address.environment.rawValue), .value(address.topic),
            ])
        try connection.query(
            .Tokens.takeSlots,
            [
                .value(appID), .array([installationID]), .array([address.kind.slotKind.rawValue]),
                .array([address.environment.rawValue]), .array([address.topic]), .array([tokenID]),
            ])
    }

    /// Retires the tokens that responses named under other addresses, because a value is one token. They are
    /// written before the registrations, so that readers of the feed get the registered token last.
    private func merge(_ written: [(fingerprint: [UInt8], id: Int64)]) {
        guard !written.isEmpty else { return }
        connection.enqueue(
            .Tokens.mergeTokens,
            [
                .value(appID), .array(written.map(\.fingerprint)), .array(written.map(\.id)),
                .array(written.map { _ in installationID }), .value(now),
            ])
    }

    private func record(
        _ change: RegistrationChange, of token: ListedToken, migrates: Bool, tokenID: Int64
    ) throws {
        let known = token.known
        let rule = TokenRules.ledgerRule(
            of: change, token: known, owner: installationID, changesFeed: token.changesFeed,
            migrates: migrates)
        guard let rule else { return }
        let transition = TokenTransition(
            appID: appID, tokenID: tokenID, from: known?.state,
            change: TokenChange(to: .active, rule: rule),
            evidence: LedgerEvidence(
                registeredAt: registeredAt, fromInstallationID: known?.installationID,
                toInstallationID: installationID))
        try connection.record([transition], now: now)
    }

    /// Retires a value that held the slot until now, with a link to its successor.
    private func rotate(_ tokenID: Int64, _ rule: TokenRule, successor: Int64) throws {
        connection.enqueue(.Tokens.leaveSlots, [.value(appID), .array([tokenID])])
        let rows = try connection.query(
            .Tokens.retireToken,
            [
                .value(tokenID), .value(installationID), .value(rule.rawValue),
                .value(successor), .value(now),
            ])
        guard let state = try rows.first?.get("state", as: TokenState.self) else { return }
        let transition = TokenTransition(
            appID: appID, tokenID: tokenID, from: state,
            change: TokenChange(to: .retired, rule: rule),
            evidence: LedgerEvidence(registeredAt: registeredAt, successorTokenID: successor))
        try connection.record([transition], now: now)
    }
}

/// The effect of a registration on one slot.
private struct SlotTurn {
    /// The tokens in the slot that the app listed in no slot and that lose their place.
    let leaving: [SlotHolder]
    /// The listed token that takes their place: the first in the app's list. `nil` if all are outdated.
    private(set) var successor: ListedToken?
    private let holderIDs: Set<Int64>
    /// Whether others stay because their values alternate with the listed ones.
    private let alternates: Bool
    private let registration: TokenRegistration

    /// - Parameter listedIDs: all known tokens of the registration: one listed in another slot moves there.
    init(
        _ listed: [ListedToken], holders: [SlotHolder], listedIDs: Set<Int64>,
        _ registration: TokenRegistration
    ) {
        let others = holders.filter { !listedIDs.contains($0.tokenID) }
        let returnedAt = listed.compactMap {
            TokenRules.returnedAt($0.known, by: registration.installationID, at: registration.registeredAt)
        }.max()
        leaving = others.filter {
            !TokenRules.keepsSlot($0, besides: returnedAt, at: registration.registeredAt)
        }
        holderIDs = Set(holders.map(\.tokenID))
        alternates = leaving.count < others.count
        self.registration = registration
        successor = listed.sorted { $0.position < $1.position }.first { !isOutdated($0) }
    }

    func isOutdated(_ token: ListedToken) -> Bool {
        TokenRules.isOutdated(
            registeredAt: registration.registeredAt, now: registration.now, token: token.known,
            holderRegisteredAt: leaving.compactMap(\.registeredAt).max())
    }

    func change(of token: ListedToken) -> RegistrationChange {
        let takesPlace =
            token.position == successor?.position && !leaving.isEmpty
            && !(token.known.map { holderIDs.contains($0.tokenID) } ?? false)
        return TokenRules.registration(
            of: token.known, by: registration.installationID, slotHeldAnother: takesPlace)
    }

    /// Whether an active value of another kind leaves the slot for one of this kind.
    func migrates(to kind: TokenKind) -> Bool {
        leaving.contains { $0.state == .active && $0.kind != kind }
    }

    func returnedAt(of token: ListedToken) -> Instant? {
        let returnedAt = TokenRules.returnedAt(
            token.known, by: registration.installationID, at: registration.registeredAt)
        return alternates && returnedAt != nil ? registration.registeredAt : returnedAt
    }
}
