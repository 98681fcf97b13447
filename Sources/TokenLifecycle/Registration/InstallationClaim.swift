public import Trust

/// Who posts a request about an installation.
public enum InstallationPoster: Hashable, Sendable {
    /// A server, or the operator: it may act on every installation of its app.
    case server
    /// A device, or anyone else with the device key, which is public.
    ///
    /// - demand: whether the app demands credentials.
    /// - credentialDigest: the digest of the credential that came with the request; `nil` without one.
    case device(demand: TrustRules.Demand, credentialDigest: [UInt8]?)
}

/// The right by which a request acts on an installation.
public enum InstallationClaim: String, CaseIterable, Sendable {
    /// A server posted it.
    case server
    /// It carried the installation's credential.
    case credential
    /// The installation is new, or its device is new to Landfall: the device gets a credential.
    case first
    /// It named the value of one of the installation's tokens, which only its device and the app's servers know: the device gets
    /// a new credential.
    case token
    /// None: the app does not demand credentials.
    case none

    /// Whether the response carries a new credential.
    var isIssued: Bool { self == .first || self == .token }

    /// What a request has to do with the tokens of an existing installation.
    struct Tokens {
        let hasSome: Bool
        let namesOne: Bool
    }

    /// The claim of a request; `nil` if it has to be rejected.
    ///
    /// - Parameters:
    ///   - known: `nil` if the installation is new.
    ///   - tokens: called only if it matters.
    static func claim(
        of poster: InstallationPoster, on known: LockedInstallation?, tokens: () throws -> Tokens
    ) rethrows -> InstallationClaim? {
        guard case .device(let demand, let digest) = poster else { return .server }
        guard demand != .off else { return InstallationClaim.none }
        guard let known else { return .first }
        if let digest, digest == known.credentialDigest { return .credential }
        let tokens = try tokens()
        if tokens.namesOne { return .token }
        // Imported, or created by a server, and without anything to protect.
        if known.credentialDigest == nil, !tokens.hasSome { return .first }
        return demand == .observe ? InstallationClaim.none : nil
    }
}
