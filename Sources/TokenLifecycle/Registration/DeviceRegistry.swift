public import DeliveryModel
public import Foundation
public import Instants
public import PostgresClient
internal import SQLFiles

/// A registration that must not be recorded.
public enum DeviceRegistryError: Error, Equatable, Sendable {
    /// The device was erased on request. If the app is used again, it registers with a new device id.
    case erasedDevice
    /// A device must show the installation's credential, or the value of one of its tokens.
    case credentialRequired
    /// The app has no such device, and the registration may not create one.
    case mayNotBeNew
    /// The installation registered too many values of this kind within a day.
    case tooManyValues(TokenKind)
    /// The installation is unproven, and its registration may not add values.
    case mayNotAddValues
}

/// Registers installations and their tokens, and logs them out. Each call belongs in a transaction of its own.
public struct DeviceRegistry: Sendable {
    let vault: TokenVault
    private let signs = SignsOfLife()

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// Records the installation's data and makes its tokens the active ones. A registration without tokens is a check-in.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether it may create the installation.
    ///   - mayAddValues: whether it may add values to an unproven installation.
    /// - Throws: ``DeviceRegistryError``, `PostgresError`.
    public func register(
        _ registration: Registration, appID: Int64, mayBeNew: @autoclosure () -> Bool = true,
        mayAddValues: @autoclosure () -> Bool = true, now: Instant, on connection: PostgresConnection
    ) throws -> Registered {
        // Locks are taken in the order of the fingerprints, as for batches of responses.
        let tokens = registration.tokens.enumerated().map {
            ListedToken($1, position: $0, fingerprint: vault.fingerprint(of: $1.value))
        }.sorted { $0.fingerprint.lexicographicallyPrecedes($1.fingerprint) }
        var values = NewValues()
        let installation = try describe(
            registration, appID: appID, mayBeNew: mayBeNew(), fingerprints: tokens.map(\.fingerprint),
            admit: { known in
                values = try NewValues(
                    among: tokens, appID: appID, installationID: known, now: now, on: connection)
                guard registration.poster != .server else { return }
                try values.check(mayAdd: mayAddValues)
            }, on: connection)
        let turn = TokenRegistration(
            vault: vault, connection: connection, appID: appID, installationID: installation.id,
            registeredAt: registration.registeredAt, now: now, isVouched: registration.poster == .server)
        let registered = try turn.register(tokens, expirations: registration.expirations)
        try turn.settleProofs(values, registered)
        try connection.query(.Tokens.describeTokens, [.value(appID), .array([installation.id])])
        let outcome = Registered(
            tokens: registered, claim: installation.claim, isNew: installation.isNew,
            endsVerification: installation.endsVerification, credential: installation.credential,
            newValues: values.isProven ? 0 : values.count)
        guard installation.isUpToDate else { return outcome }
        if let account = registration.account {
            try turn.bind(account, isVerified: registration.isVerified)
        }
        if let permission = registration.permission, !permission.isEmpty { turn.note(permission) }
        turn.retireExpired()
        try connection.query(
            .Tokens.reviveStaleTokens,
            [.array([Int64]()), .array([installation.id]), .value(now), .value(false)])
        if registration.hasNoToken == true { turn.doubtUnlistedTokens() }
        signs.hear(fromApps: [appID: registration.registeredAt], on: connection)
        return outcome
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
        try connection.query(.Tokens.logOut, [.value(appID), .value(known.id), .value(now)])
        // An empty account ends every binding.
        try connection.query(.Tokens.unbindOtherAccounts, [.value(known.id), .value(""), .value(now)])
        return true
    }
}

extension TokenRegistration {
    /// Binds the account; an empty one only ends the previous binding.
    fileprivate func bind(_ account: String, isVerified: Bool) throws {
        try connection.query(
            .Tokens.unbindOtherAccounts, [.value(installationID), .value(account), .value(registeredAt)])
        try connection.query(
            .Tokens.bindAccount,
            [
                .value(appID), .value(installationID), .value(account), .value(registeredAt),
                .value(isVerified),
            ])
    }

    fileprivate func note(_ permission: String) {
        let parameters: [PostgresParameter] = [
            .value(appID), .value(installationID), .value(permission), .value(registeredAt),
        ]
        connection.enqueue(.Tokens.endOtherPermissions, parameters)
        connection.enqueue(.Tokens.startPermission, parameters)
    }

    fileprivate func retireExpired() {
        connection.enqueue(
            .Tokens.retireExpired,
            [
                .value(appID), .value(now), .value(now), .value(nil as Int64?), .value(0 as Int64),
                .value(now), .value(installationID),
            ])
    }

    fileprivate func doubtUnlistedTokens() {
        connection.enqueue(
            .Tokens.doubtUnlistedTokens,
            [
                .value(appID), .value(installationID), .value(now), .value(SweepRules.tokenlessVisits),
                .value(registeredAt - SweepRules.tokenlessFor),
            ])
    }
}
