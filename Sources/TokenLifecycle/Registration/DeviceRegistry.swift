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
        let context = RegistrationContext(
            appID: appID, installationID: installation.id, registeredAt: registration.registeredAt, now: now,
            isVouched: registration.poster == .server)
        let registered = try register(tokens, expirations: registration.expirations, context, on: connection)
        try settleProofs(values, registered, context, on: connection)
        try connection.query(.Tokens.describeTokens, [.value(appID), .array([installation.id])])
        let outcome = Registered(
            tokens: registered, claim: installation.claim,
            isNew: installation.isNew, endsVerification: installation.endsVerification,
            credential: installation.credential, newValues: values.isProven ? 0 : values.count)
        guard installation.isUpToDate else { return outcome }
        if let account = registration.account {
            try bind(account, isVerified: registration.isVerified, context, on: connection)
        }
        if let permission = registration.permission, !permission.isEmpty {
            note(permission, context, on: connection)
        }
        TokenExpiry(appID: appID, connection: connection).retire(of: installation.id, now: now)
        try connection.query(
            .Tokens.reviveStaleTokens,
            [.array([Int64]()), .array([installation.id]), .value(now), .value(false)])
        if registration.hasNoToken == true { doubtUnlistedTokens(context, on: connection) }
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
        try connection.query(
            .Tokens.logOut, [.value(appID), .value(known.id), .value(now)])
        // An empty account ends every binding.
        try connection.query(.Tokens.unbindOtherAccounts, [.value(known.id), .value(""), .value(now)])
        return true
    }

    private func doubtUnlistedTokens(_ context: RegistrationContext, on connection: PostgresConnection) {
        connection.enqueue(
            PostgresStatement(
                .Tokens.doubtUnlistedTokens,
                [
                    .value(context.appID), .value(context.installationID), .value(context.now),
                    .value(SweepRules.tokenlessVisits),
                    .value(context.registeredAt - SweepRules.tokenlessFor),
                ]))
    }
}
