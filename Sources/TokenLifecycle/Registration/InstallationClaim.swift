public import Trust

/// Who posts a request about an installation.
public enum InstallationPoster: Hashable, Sendable {
    /// A server, or the operator: it may act on every installation of its app.
    case server
    /// A device, or anyone else with the device key, which is public.
    case device(PostingDevice)
}

/// What a device's request about its installation shows.
public struct PostingDevice: Hashable, Sendable {
    let demand: TrustRules.Demand
    /// Whether the app believes what devices say about accounts and tags.
    let isTrusted: Bool
    /// The digest of the credential that came with the request; `nil` without one.
    let credentialDigest: [UInt8]?
    /// The credential for the device, if it gets one. The same for each attempt at a transaction: if the
    /// connection is lost during the commit, the next attempt must see that this request made the claim.
    let newCredential = InstallationCredential()

    /// - Parameter credential: the one that came with the request.
    public init(credential: String?, trust: TrustRules) {
        demand = trust.credentials
        isTrusted = trust.accounts == .trusted
        credentialDigest = credential.map { InstallationCredential.digest(of: $0) }
    }
}

/// The right by which a request acts on an installation.
public enum InstallationClaim: String, CaseIterable, Sendable {
    /// A server posted it.
    case server
    /// It carried the installation's credential.
    case credential
    /// The installation is new, or its device is new to Landfall: the device gets a credential.
    case first
    /// It named the value of one of the installation's tokens, which only its device and the app's servers
    /// know: the device gets a new credential.
    case token
    /// None: the app does not demand credentials.
    case none

    /// Whether the response carries a new credential.
    var isIssued: Bool { self == .first || self == .token }

    /// The claim of a request; `nil` if it has to be rejected.
    ///
    /// - Parameters:
    ///   - known: `nil` if the installation is new.
    ///   - tokens: whether the installation has some, and whether the request names one; called if needed.
    static func claim(
        of poster: InstallationPoster, on known: LockedInstallation?,
        tokens: () throws -> (hasSome: Bool, namesOne: Bool)
    ) rethrows -> InstallationClaim? {
        guard case .device(let device) = poster else { return .server }
        guard device.demand != .off else { return InstallationClaim.none }
        guard let known else { return .first }
        if let digest = known.credentialDigest {
            if digest == device.credentialDigest { return .credential }
            if digest == device.newCredential.digest { return .first }
        }
        let tokens = try tokens()
        if tokens.namesOne { return .token }
        // Imported, or created by a server, and without a token to protect.
        if known.credentialDigest == nil, !tokens.hasSome { return .first }
        return device.demand == .observe ? InstallationClaim.none : nil
    }
}
