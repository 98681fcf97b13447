internal import DeliveryModel
public import Foundation
public import Instants
public import PostgresClient
internal import SQLFiles

/// Registers installations and their tokens, and logs them out. Each call belongs in a transaction of its own.
public struct DeviceRegistry: Sendable {
    let vault: TokenVault
    private let signs = SignsOfLife()

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// Records the installation's data and makes its tokens the active ones. A registration without tokens is a check-in.
    ///
    /// - Parameter mayBeNew: whether it may create the installation.
    /// - Throws: ``DeviceRegistryError``, `PostgresError`.
    public func register(
        _ registration: Registration, appID: Int64, mayBeNew: @autoclosure () -> Bool = true, now: Instant,
        on connection: PostgresConnection
    ) throws -> Registered {
        // Locks are taken in the order of the fingerprints, as for batches of responses.
        let tokens = registration.tokens.map { ($0, vault.fingerprint(of: $0.value)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
        let installation = try describe(
            registration, appID: appID, mayBeNew: mayBeNew(), fingerprints: tokens.map(\.1), on: connection)
        let context = RegistrationContext(
            appID: appID, installationID: installation.id, registeredAt: registration.registeredAt, now: now)
        let registered = try tokens.map { address, fingerprint in
            try register(
                address, fingerprint, expiresAt: registration.expirations[address], context, on: connection)
        }
        try connection.query(.Tokens.describeTokens, [.value(appID), .array([installation.id])])
        let outcome = Registered(
            tokens: inOrder(registered, registration.tokens), claim: installation.claim,
            isNew: installation.isNew, endsVerification: installation.endsVerification,
            credential: installation.credential)
        guard installation.isUpToDate else { return outcome }
        if let account = registration.account {
            try bind(account, isVerified: registration.isVerified, context, on: connection)
        }
        if let permission = registration.permission, !permission.isEmpty {
            note(permission, context, on: connection)
        }
        TokenExpiry(appID: appID, on: connection).retire(of: installation.id, now: now)
        try connection.query(
            .Tokens.reviveStaleTokens,
            [.array([Int64]()), .array([installation.id]), .value(now)])
        signs.hear(fromApps: [appID: registration.registeredAt], on: connection)
        return outcome
    }

    /// The tokens in the order in which the app listed them.
    private func inOrder(_ registered: [RegisteredToken], _ addresses: [TokenAddress]) -> [RegisteredToken] {
        addresses.compactMap { address in registered.first { $0.address == address } }
    }

    /// Retires every token of the installation and ends the binding of its account. Returns false if the app has no such device,
    /// or it was erased.
    ///
    /// - Throws: ``DeviceRegistryError/credentialRequired``, `PostgresError`.
    public func logOut(
        deviceID: UUID, appID: Int64, by poster: InstallationPoster = .server, now: Instant,
        on connection: PostgresConnection
    ) throws -> Bool {
        guard let known = try find(deviceID, appID: appID, on: connection), !known.isErased else {
            return false
        }
        // A request to log out names no token, so only the credential counts.
        guard try claim(of: poster, on: known, fingerprints: [], on: connection) != nil else {
            throw DeviceRegistryError.credentialRequired
        }
        try connection.query(
            .Tokens.logOut, [.value(appID), .value(known.id), .value(now)])
        // An empty account ends every binding.
        try connection.query(.Tokens.unbindOtherAccounts, [.value(known.id), .value(""), .value(now)])
        return true
    }

    private func register(
        _ posted: TokenAddress, _ fingerprint: [UInt8], expiresAt: Instant?, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> RegisteredToken {
        var address = posted
        let known = try lock(&address, fingerprint, context, on: connection)
        let holder = try slotHolder(address, context, on: connection)
        let other = holder?.tokenID == known?.tokenID ? nil : holder
        guard
            !TokenRules.isOutdated(
                registeredAt: context.registeredAt, now: context.now, token: known,
                holderRegisteredAt: other?.registeredAt)
        else {
            return RegisteredToken(
                address: posted, state: known?.state ?? .retired, change: .refreshed, tokenID: known?.tokenID)
        }
        let change = TokenRules.registration(
            of: known, by: context.installationID, slotHeldAnother: other != nil)

        let tokenID = try write(address, fingerprint, expiresAt: expiresAt, context, on: connection)
        try takeSlot(address, tokenID: tokenID, context, on: connection)
        try record(change, of: known, tokenID: tokenID, context, on: connection)
        if let other {
            try rotate(other.tokenID, successor: tokenID, context, on: connection)
        }
        return RegisteredToken(address: posted, state: .active, change: change, tokenID: tokenID)
    }

    /// Locks the known token with this value. If either the app or the sender did not state the topic, the other's topic is used.
    private func lock(
        _ address: inout TokenAddress, _ fingerprint: [UInt8], _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> Token? {
        let rows = try connection.query(
            .Tokens.lockToken,
            [
                .value(fingerprint), .value(context.appID), .value(address.provider),
                .value(address.environment.rawValue), .value(address.topic),
            ])
        guard let row = rows.first, let token = try Token.all(in: rows, from: 0).first else { return nil }
        let topic = try row.get(9, as: String.self)
        if address.topic.isEmpty {
            address.topic = topic
        } else if topic != address.topic {
            try connection.query(.Tokens.nameTopic, [.value(token.tokenID), .value(address.topic)])
        }
        return token
    }

    private func slotHolder(
        _ address: TokenAddress, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws -> SlotHolder? {
        let rows = try connection.query(
            .Tokens.readSlot,
            [
                .value(context.installationID), .value(address.kind.rawValue),
                .value(address.environment.rawValue), .value(address.topic),
            ])
        return try rows.first.map { try SlotHolder(tokenID: $0.get(0), registeredAt: $0.getOptional(1)) }
    }

    private func write(
        _ address: TokenAddress, _ fingerprint: [UInt8], expiresAt: Instant?, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> Int64 {
        let rows = try connection.query(
            .Tokens.registerToken,
            [
                .value(context.appID), .value(address.provider), .value(address.environment.rawValue),
                .value(address.topic), .value(fingerprint), .value(address.kind.rawValue),
                .value(try vault.seal(Array(address.value.utf8), for: .token(ofApp: context.appID))),
                .value(context.installationID),
                .value(context.registeredAt), .value(context.now), .value(expiresAt),
            ])
        return try rows.single().get(0)
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

    /// Retires the value that held the slot until now, with a link to its successor.
    private func rotate(
        _ tokenID: Int64, successor: Int64, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws {
        let rows = try connection.query(
            .Tokens.retireToken,
            [
                .value(tokenID), .value(context.installationID), .value(TokenRule.rotated.rawValue),
                .value(successor), .value(context.now),
            ])
        guard let state = try rows.first?.get(0, as: String.self) else { return }
        var evidence = LedgerEvidence()
        evidence.registeredAt = context.registeredAt
        evidence.successorTokenID = successor
        let transition = TokenTransition(
            appID: context.appID, tokenID: tokenID, from: TokenState(rawValue: state),
            change: TokenChange(to: .retired, rule: .rotated), evidence: evidence)
        try connection.record([transition], now: context.now)
    }
}

private struct SlotHolder {
    let tokenID: Int64
    let registeredAt: Instant?
}
