internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Trust

/// An installation that was found, and is locked until the transaction ends.
struct LockedInstallation {
    let id: Int64
    let isErased: Bool
    /// `nil` until a device has claimed it.
    let credentialDigest: [UInt8]?
}

/// An installation that a registration has described.
struct DescribedInstallation {
    let id: Int64
    let isNew: Bool
    /// Whether this is its latest registration.
    let isUpToDate: Bool
    let claim: InstallationClaim
    /// Whether account and tags that a server gave it are only claims from now on.
    let endsVerification: Bool
    /// Set if the device gets a new one.
    let credential: InstallationCredential?
}

extension DeviceRegistry {
    /// Records what the installation says about itself, if the request may act on it.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether the registration may create the installation.
    ///   - admit: called with the installation, `nil` if it is new, before anything is written.
    /// - Throws: ``DeviceRegistryError``, `PostgresError`.
    func describe(
        _ registration: Registration, appID: Int64, mayBeNew: @autoclosure () -> Bool,
        fingerprints: [[UInt8]], admit: (Int64?) throws -> Void, on connection: PostgresConnection
    ) throws -> DescribedInstallation {
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
        return DescribedInstallation(
            id: id, isNew: known == nil, isUpToDate: recorded != nil, claim: claim,
            endsVerification: endsVerification, credential: recorded == nil ? nil : credential)
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
            return .init(hasSome: try row.get("has_tokens"), namesOne: try row.get("names_one"))
        }
    }

    /// Returns `nil` if a later registration is recorded, or the installation has been created since it was looked for.
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
