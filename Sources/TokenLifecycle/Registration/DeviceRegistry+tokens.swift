internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// A token of a registration, and what is known about it.
struct ListedToken {
    let posted: TokenAddress
    /// The token's position in the app's list, from 0.
    let position: Int
    let fingerprint: [UInt8]
    /// The address, with the topic of the known token if the app does not state one.
    var address: TokenAddress
    var known: Token?

    init(_ posted: TokenAddress, position: Int, fingerprint: [UInt8]) {
        self.posted = posted
        self.position = position
        self.fingerprint = fingerprint
        address = posted
    }

    var slot: TokenSlot {
        TokenSlot(kind: address.kind, environment: address.environment, topic: address.topic)
    }
}

/// A place of an installation for tokens that follow one another.
struct TokenSlot: Hashable {
    let kind: TokenKind
    let environment: Environment
    let topic: String
}

extension DeviceRegistry {
    /// Makes these tokens the active ones of their slots. Those of other slots stay as they are.
    ///
    /// - Parameter listed: in the order in which rows are locked.
    /// - Returns: one outcome each, in the order of the app's list.
    func register(
        _ listed: [ListedToken], expirations: [TokenAddress: Instant], _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> [RegisteredToken] {
        let listed = try listed.map { try lock($0, context, on: connection) }
        let listedIDs = Set(listed.compactMap(\.known?.tokenID))
        var slots: [TokenSlot: SlotTurn] = [:]
        for token in listed where slots[token.slot] == nil {
            slots[token.slot] = SlotTurn(
                listed.filter { $0.slot == token.slot },
                holders: try holders(of: token.slot, context, on: connection), listedIDs: listedIDs, context)
        }
        var registered: [(position: Int, RegisteredToken)] = []
        var written: [(token: ListedToken, id: Int64)] = []
        for token in listed {
            guard let turn = slots[token.slot] else { continue }
            if turn.isOutdated(token, context) {
                registered.append(
                    (
                        token.position,
                        RegisteredToken(
                            address: token.posted, state: token.known?.state ?? .retired, change: .refreshed,
                            tokenID: token.known?.tokenID)
                    ))
                continue
            }
            let id = try write(
                token, expiresAt: expirations[token.posted], returnedAt: turn.returnedAt(of: token, context),
                context,
                on: connection)
            try takeSlot(token.address, tokenID: id, context, on: connection)
            written.append((token, id))
            registered.append(
                (
                    token.position,
                    RegisteredToken(
                        address: token.posted, state: .active, change: turn.change(of: token, context),
                        tokenID: id)
                ))
        }
        merge(written, context, on: connection)
        for (token, id) in written {
            let turn = slots[token.slot]
            try record(
                turn?.change(of: token, context) ?? .registered, of: token.known, tokenID: id, context,
                on: connection)
            guard let turn, turn.successor?.position == token.position else { continue }
            for holder in turn.leaving { try rotate(holder.tokenID, successor: id, context, on: connection) }
        }
        return registered.sorted { $0.position < $1.position }.map(\.1)
    }

    /// Locks the known token with this value. If either the app or the sender did not state the topic, the other's topic is used.
    private func lock(
        _ token: ListedToken, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws -> ListedToken {
        var token = token
        let rows = try connection.query(
            .Tokens.lockToken,
            [
                .value(token.fingerprint), .value(context.appID), .value(token.address.provider),
                .value(token.address.environment.rawValue), .value(token.address.topic),
            ])
        guard let row = rows.first, let known = try Token.all(in: rows).first else { return token }
        token.known = known
        let topic = try row.get("topic", as: String.self)
        if token.address.topic.isEmpty {
            token.address.topic = topic
        } else if topic != token.address.topic {
            try connection.query(.Tokens.nameTopic, [.value(known.tokenID), .value(token.address.topic)])
        }
        return token
    }

    private func holders(
        of slot: TokenSlot, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws -> [SlotHolder] {
        try connection.query(
            .Tokens.readSlot,
            [
                .value(context.installationID), .value(slot.kind.rawValue), .value(slot.environment.rawValue),
                .value(slot.topic),
            ]
        ).map { row in
            SlotHolder(
                tokenID: try row.get("token_id"), state: try TokenState(known: row.get("state")),
                registeredAt: try row.getOptional("last_registered_at"),
                returnedAt: try row.getOptional("returned_at"))
        }
    }

    private func write(
        _ token: ListedToken, expiresAt: Instant?, returnedAt: Instant?, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> Int64 {
        let address = token.address
        let rows = try connection.query(
            .Tokens.registerToken,
            [
                .value(context.appID), .value(address.provider), .value(address.environment.rawValue),
                .value(address.topic), .value(token.fingerprint), .value(address.kind.rawValue),
                .value(try vault.seal(Array(address.text.utf8), for: .token(ofApp: context.appID))),
                .value(context.installationID),
                .value(context.registeredAt), .value(context.now), .value(expiresAt), .value(returnedAt),
                .value(context.isVouched),
            ])
        return try rows.single().get("token_id")
    }

    private func takeSlot(
        _ address: TokenAddress, tokenID: Int64, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws {
        try connection.query(
            .Tokens.leaveOtherSlots,
            [
                .value(tokenID), .value(context.installationID), .value(address.kind.rawValue),
                .value(address.environment.rawValue), .value(address.topic),
            ])
        try connection.query(
            .Tokens.takeSlots,
            [
                .value(context.appID), .array([context.installationID]), .array([address.kind.rawValue]),
                .array([address.environment.rawValue]), .array([address.topic]), .array([tokenID]),
            ])
    }

    /// Retires the tokens that responses named under other addresses, because a value is one token. They are written before the
    /// registrations, so that readers of the feed get the registered token last.
    private func merge(
        _ written: [(token: ListedToken, id: Int64)], _ context: RegistrationContext,
        on connection: PostgresConnection
    ) {
        guard !written.isEmpty else { return }
        connection.enqueue(
            PostgresStatement(
                .Tokens.mergeTokens,
                [
                    .value(context.appID), .array(written.map(\.token.fingerprint)),
                    .array(written.map(\.id)),
                    .array(written.map { _ in context.installationID }), .value(context.now),
                ]))
    }

    private func record(
        _ change: RegistrationChange, of known: Token?, tokenID: Int64, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws {
        guard
            let rule = TokenRules.ledgerRule(of: change, token: known, owner: context.installationID)
        else { return }
        var evidence = LedgerEvidence()
        evidence.registeredAt = context.registeredAt
        evidence.toInstallationID = context.installationID
        evidence.fromInstallationID = known?.installationID
        let transition = TokenTransition(
            appID: context.appID, tokenID: tokenID, from: known?.state,
            change: TokenChange(to: .active, rule: rule), evidence: evidence)
        try connection.record([transition], now: context.now)
    }

    /// Retires a value that held the slot until now, with a link to its successor.
    private func rotate(
        _ tokenID: Int64, successor: Int64, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws {
        connection.enqueue(
            PostgresStatement(.Tokens.leaveSlots, [.value(context.appID), .array([tokenID])]))
        let rows = try connection.query(
            .Tokens.retireToken,
            [
                .value(tokenID), .value(context.installationID), .value(TokenRule.rotated.rawValue),
                .value(successor), .value(context.now),
            ])
        guard let state = try rows.first?.get("state", as: String.self) else { return }
        var evidence = LedgerEvidence()
        evidence.registeredAt = context.registeredAt
        evidence.successorTokenID = successor
        let transition = TokenTransition(
            appID: context.appID, tokenID: tokenID, from: TokenState(rawValue: state),
            change: TokenChange(to: .retired, rule: .rotated), evidence: evidence)
        try connection.record([transition], now: context.now)
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

    /// - Parameter listedIDs: the known tokens of the whole registration: one that is listed in another slot moves there.
    init(
        _ listed: [ListedToken], holders: [SlotHolder], listedIDs: Set<Int64>, _ context: RegistrationContext
    ) {
        let others = holders.filter { !listedIDs.contains($0.tokenID) }
        let returnedAt = listed.compactMap {
            TokenRules.returnedAt($0.known, by: context.installationID, at: context.registeredAt)
        }.max()
        leaving = others.filter { !TokenRules.keepsSlot($0, besides: returnedAt, at: context.registeredAt) }
        holderIDs = Set(holders.map(\.tokenID))
        alternates = leaving.count < others.count
        successor = listed.sorted { $0.position < $1.position }.first { !isOutdated($0, context) }
    }

    func isOutdated(_ token: ListedToken, _ context: RegistrationContext) -> Bool {
        TokenRules.isOutdated(
            registeredAt: context.registeredAt, now: context.now, token: token.known,
            holderRegisteredAt: leaving.compactMap(\.registeredAt).max())
    }

    func change(of token: ListedToken, _ context: RegistrationContext) -> RegistrationChange {
        let takesPlace =
            token.position == successor?.position && !leaving.isEmpty
            && !(token.known.map { holderIDs.contains($0.tokenID) } ?? false)
        return TokenRules.registration(
            of: token.known, by: context.installationID, slotHeldAnother: takesPlace)
    }

    func returnedAt(of token: ListedToken, _ context: RegistrationContext) -> Instant? {
        let returnedAt = TokenRules.returnedAt(
            token.known, by: context.installationID, at: context.registeredAt)
        return alternates && returnedAt != nil ? context.registeredAt : returnedAt
    }
}
