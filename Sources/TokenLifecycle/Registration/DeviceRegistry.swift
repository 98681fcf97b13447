public import DeliveryModel
public import Foundation
public import PostgresClient
internal import Trust
public import Vault

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

/// Registers installations and their tokens, and logs them out. Each call belongs in its own transaction.
public struct DeviceRegistry: Sendable {
    let vault: TokenVault
    private let signs = SignsOfLife()

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// Records an installation's data and activates its tokens. A registration without tokens is a check-in.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether it may create the installation.
    ///   - mayAddValues: whether it may add values to an unproven installation.
    /// - Throws: ``DeviceRegistryError``, `PostgresError`.
    public func register(
        _ registration: Registration, appID: Int64, mayBeNew: @autoclosure () -> Bool = true,
        mayAddValues: @autoclosure () -> Bool = true, now: Instant, on connection: PostgresConnection
    ) throws -> Registered {
        try connection.fence([appID])
        // Locks are taken in the order of the fingerprints, as for batches of responses.
        let tokens = registration.tokens.enumerated().map {
            ListedToken(
                $1, position: $0, fingerprint: vault.fingerprint(of: $1.value), keys: registration.keys[$1])
        }.sorted { $0.fingerprint.lexicographicallyPrecedes($1.fingerprint) }
        var values = NewValues()
        var outcome = try describe(
            registration, appID: appID, mayBeNew: mayBeNew(), fingerprints: tokens.map(\.fingerprint),
            admit: { known in
                values = try NewValues(
                    among: tokens, appID: appID, installationID: known, now: now, on: connection)
                guard registration.poster != .server else { return }
                try values.check(mayAdd: mayAddValues)
            }, on: connection)
        let turn = TokenRegistration(
            vault: vault, connection: connection, appID: appID, installationID: outcome.installationID,
            registeredAt: registration.registeredAt, now: now, isVouched: registration.poster == .server)
        outcome.tokens = try turn.register(tokens, expirations: registration.expirations)
        try turn.settleProofs(values, outcome.tokens)
        try connection.query(.Tokens.describeTokens, [.value(appID), .array([outcome.installationID])])
        outcome.newValues = values.isProven ? 0 : values.count
        guard outcome.isUpToDate else { return outcome }
        if let account = registration.account {
            try turn.bind(account, isVerified: registration.isVerified)
        }
        if let permission = registration.permission, !permission.isEmpty { turn.note(permission) }
        turn.retireExpired()
        try connection.query(
            .Tokens.reviveStaleTokens,
            [.array([Int64]()), .array([outcome.installationID]), .value(now), .value(false)])
        if registration.hasNoToken == true { turn.doubtUnlistedTokens() }
        signs.hear(fromApps: [appID: registration.registeredAt], on: connection)
        return outcome
    }

    /// Retires every token of the installation and ends the binding of its account. Returns false if the app
    /// has no such device, or it was erased.
    ///
    /// - Throws: ``DeviceRegistryError/credentialRequired``, `PostgresError`.
    public func logOut(
        deviceID: UUID, appID: Int64, by poster: InstallationPoster = .server, now: Instant,
        on connection: PostgresConnection
    ) throws -> Bool {
        try connection.fence([appID])
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

/// An installation that was found, and is locked until the transaction ends.
struct LockedInstallation {
    let id: Int64
    let isErased: Bool
    /// `nil` until a device has claimed it.
    let credentialDigest: [UInt8]?
}

extension DeviceRegistry {
    /// Records what the installation says about itself, if the request may act on it, but not its tokens.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether the registration may create the installation.
    ///   - admit: called with the installation, `nil` if it is new, before anything is written.
    /// - Throws: ``DeviceRegistryError``, `PostgresError`.
    func describe(
        _ registration: Registration, appID: Int64, mayBeNew: @autoclosure () -> Bool,
        fingerprints: [[UInt8]], admit: (Int64?) throws -> Void, on connection: PostgresConnection
    ) throws -> Registered {
        let known = try find(registration.deviceID, appID: appID, on: connection)
        if known?.isErased == true { throw DeviceRegistryError.erasedDevice }
        guard known != nil || mayBeNew() else { throw DeviceRegistryError.mayNotBeNew }
        let claim = try claim(of: registration.poster, on: known, fingerprints: fingerprints, on: connection)
        guard let claim else { throw DeviceRegistryError.credentialRequired }
        try admit(known?.id)
        var credential: InstallationCredential?
        var endsVerification = false
        if case .device(let device) = registration.poster, claim.isIssued {
            credential = device.newCredential
            if claim == .first, let known, known.credentialDigest == nil, !device.isTrusted {
                // Nothing shows that this device is the one that the server meant.
                endsVerification = try connection.query(
                    .Tokens.endVerification, [.value(known.id), .value(registration.registeredAt)]
                ).single().get("was_verified")
            }
        }
        let recorded = try upsert(registration, appID: appID, known, credential, on: connection)
        guard let id = recorded ?? known?.id else {
            // Another registration has created it in the meantime. Now it is found.
            return try describe(
                registration, appID: appID, mayBeNew: mayBeNew(), fingerprints: fingerprints, admit: admit,
                on: connection)
        }
        return Registered(
            claim: claim, isNew: known == nil, endsVerification: endsVerification,
            credential: recorded == nil ? nil : credential, installationID: id, isUpToDate: recorded != nil)
    }

    /// Finds and locks the installation; `nil` if the app has no such device.
    func find(
        _ deviceID: UUID, appID: Int64, on connection: PostgresConnection
    ) throws -> LockedInstallation? {
        try connection.query(.Tokens.findInstallation, [.value(appID), .value(deviceID)]).first.map { row in
            LockedInstallation(
                id: try row.get("installation_id"),
                isErased: try row.getOptional("erased_at", as: Instant.self) != nil,
                credentialDigest: try row.getOptional("credential_digest"))
        }
    }

    /// The right by which the request acts on the installation; `nil` if it has none.
    func claim(
        of poster: InstallationPoster, on known: LockedInstallation?, fingerprints: [[UInt8]],
        on connection: PostgresConnection
    ) throws -> InstallationClaim? {
        try .claim(of: poster, on: known) {
            let row = try connection.query(
                .Tokens.findCurrentValues, [.value(known?.id), .array(fingerprints)]
            ).single()
            return try (row.get("has_tokens"), row.get("names_one"))
        }
    }

    /// Returns `nil` if a later registration is recorded, or the installation was created since the lookup.
    private func upsert(
        _ registration: Registration, appID: Int64, _ known: LockedInstallation?,
        _ credential: InstallationCredential?, on connection: PostgresConnection
    ) throws -> Int64? {
        try connection.query(
            .Tokens.upsertInstallation,
            [
                .value(appID), .value(registration.deviceID), .value(registration.platform),
                .value(registration.appVersion), .value(registration.osVersion),
                .value(registration.language), .value(registration.timeZone), .value(registration.model),
                .value(registration.permission),
                registration.tags.map { .array($0) } ?? .noArray(of: String.self),
                .value(registration.registeredAt), .value(registration.isVerified),
                .value(credential?.digest), .value(known?.id), .value(registration.kit),
                registration.turnedOff.map { .array($0.map(\.rawValue)) } ?? .noArray(of: String.self),
                .value(registration.error),
                registration.missingCategories.map { .array($0) } ?? .noArray(of: String.self),
                .value(registration.hasNoToken),
            ]
        ).first?.get("installation_id")
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
