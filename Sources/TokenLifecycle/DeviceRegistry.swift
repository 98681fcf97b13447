public import DeliveryModel
public import Foundation
public import PostgresClient
internal import SQLFiles

/// Registers installations and their tokens, and logs them out. Every call is meant to be one transaction.
public struct DeviceRegistry: Sendable {
    private let vault: TokenVault

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// Records what the installation says about itself and makes its tokens the active ones. No tokens is a check-in.
    public func register(
        _ registration: Registration, appID: Int64, now: Instant, on connection: PostgresConnection
    ) throws -> [RegisteredToken] {
        let installationID = try upsertInstallation(registration, appID: appID, on: connection)
        if let account = registration.account {
            try bind(
                account, to: installationID, appID: appID, at: registration.registeredAt, on: connection)
        }
        let context = RegistrationContext(
            appID: appID, installationID: installationID, registeredAt: registration.registeredAt, now: now)
        let registered = try registration.tokens.map { try register($0, context, on: connection) }
        try connection.query(
            .Tokens.reviveStaleTokens,
            [.array([Int64]()), .array([installationID]), .value(now)])
        return registered
    }

    /// Retires every token of the installation. False when the app has no such device.
    public func logOut(
        deviceID: UUID, appID: Int64, now: Instant, on connection: PostgresConnection
    ) throws -> Bool {
        let found = try connection.query(.Tokens.findInstallation, [.value(appID), .value(deviceID)])
        guard let installationID = try found.first?.get(0, as: Int64.self) else { return false }
        try connection.query(
            .Tokens.logOut, [.value(appID), .value(installationID), .value(now)])
        return true
    }

    private func upsertInstallation(
        _ registration: Registration, appID: Int64, on connection: PostgresConnection
    ) throws -> Int64 {
        let rows = try connection.query(
            .Tokens.upsertInstallation,
            [
                .value(appID), .value(registration.deviceID), .value(registration.platform),
                .value(registration.appVersion), .value(registration.osVersion),
                .value(registration.language), .value(registration.timeZone), .value(registration.model),
                .value(registration.permission),
                registration.tags.map { .array($0) } ?? .noArray(of: String.self),
                .value(registration.registeredAt),
            ])
        if let row = rows.first { return try row.get(0) }
        let known = try connection.query(
            .Tokens.findInstallation, [.value(appID), .value(registration.deviceID)])
        return try known.single().get(0)
    }

    private func bind(
        _ account: String, to installationID: Int64, appID: Int64, at instant: Instant,
        on connection: PostgresConnection
    ) throws {
        try connection.query(
            .Tokens.unbindOtherAccounts,
            [.value(installationID), .value(account), .value(instant)])
        try connection.query(
            .Tokens.bindAccount,
            [.value(appID), .value(installationID), .value(account), .value(instant)])
    }

    private func register(
        _ address: TokenAddress, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws -> RegisteredToken {
        let fingerprint = vault.fingerprint(of: address.value)
        let known = try lock(address, fingerprint, context, on: connection)
        let holder = try slotHolder(address, context, on: connection)
        let other = holder?.tokenID == known?.tokenID ? nil : holder
        guard
            !TokenRules.isOutdated(
                registeredAt: context.registeredAt, now: context.now, token: known,
                holderRegisteredAt: other?.registeredAt)
        else { return RegisteredToken(address: address, state: known?.state ?? .retired, change: .refreshed) }
        let change = TokenRules.registration(
            of: known, by: context.installationID, slotHeldAnother: other != nil)

        let tokenID = try write(address, fingerprint, context, on: connection)
        try connection.query(.Tokens.leaveOtherSlots, [.value(tokenID), .value(context.installationID)])
        try takeSlot(address, tokenID: tokenID, context, on: connection)
        try record(change, of: known, tokenID: tokenID, context, on: connection)
        if let other {
            try rotate(other.tokenID, successor: tokenID, context, on: connection)
        }
        return RegisteredToken(address: address, state: .active, change: change)
    }

    private func lock(
        _ address: TokenAddress, _ fingerprint: [UInt8], _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> Token? {
        let rows = try connection.query(
            .Tokens.lockToken,
            [
                .value(fingerprint), .value(context.appID), .value(address.provider),
                .value(address.environment.rawValue), .value(address.topic),
            ])
        guard let row = rows.first else { return nil }
        let token = try Token(row, from: 0)
        if try row.get(8, as: String.self) != address.topic {
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
        _ address: TokenAddress, _ fingerprint: [UInt8], _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws -> Int64 {
        let rows = try connection.query(
            .Tokens.registerToken,
            [
                .value(context.appID), .value(address.provider), .value(address.environment.rawValue),
                .value(address.topic), .value(fingerprint), .value(address.kind.rawValue),
                .value(try vault.seal(Array(address.value.utf8))), .value(context.installationID),
                .value(context.registeredAt), .value(context.now),
            ])
        return try rows.single().get(0)
    }

    private func takeSlot(
        _ address: TokenAddress, tokenID: Int64, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws {
        try connection.query(
            .Tokens.takeSlot,
            [
                .value(context.appID), .value(context.installationID), .value(address.kind.rawValue),
                .value(address.environment.rawValue), .value(address.topic), .value(tokenID),
            ])
    }

    private func record(
        _ change: RegistrationChange, of known: Token?, tokenID: Int64, _ context: RegistrationContext,
        on connection: PostgresConnection
    ) throws {
        guard let rule = TokenRules.ledgerRule(of: change, token: known) else { return }
        var evidence = LedgerEvidence()
        evidence.registeredAt = context.registeredAt.millisecondsSinceEpoch
        evidence.toInstallationID = context.installationID
        evidence.fromInstallationID = known?.installationID
        let transition = TokenTransition(
            appID: context.appID, tokenID: tokenID, from: known?.state,
            change: TokenChange(to: .active, rule: rule), evidence: evidence)
        try connection.record([transition], now: context.now)
    }

    /// The value that held the slot until now retires, with a link to its successor.
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
        evidence.registeredAt = context.registeredAt.millisecondsSinceEpoch
        evidence.successorTokenID = successor
        let transition = TokenTransition(
            appID: context.appID, tokenID: tokenID, from: TokenState(rawValue: state),
            change: TokenChange(to: .retired, rule: .rotated), evidence: evidence)
        try connection.record([transition], now: context.now)
    }
}

/// The token that holds a slot.
private struct SlotHolder {
    let tokenID: Int64
    let registeredAt: Instant?
}

private struct RegistrationContext {
    let appID: Int64
    let installationID: Int64
    let registeredAt: Instant
    let now: Instant
}
