internal import Access
internal import Basics
internal import Foundation
internal import TokenLifecycle
internal import Trust

/// Who vouches for the account and the tags of a registration.
enum AccountStanding: Hashable {
    /// A server, a valid proof, or the app, which trusts its devices.
    case verified
    /// No one. They are kept as claims.
    case claimed(AccountProofError?)
    /// There is neither an account nor a tag.
    case absent

    /// The label in metrics.
    var name: String {
        switch self {
        case .verified: "verified"
        case .claimed(nil): "missing"
        case .claimed: "invalid"
        case .absent: "absent"
        }
    }

    /// What the app's developer has to know; `nil` if all is well.
    var warning: (code: String, detail: String)? {
        guard case .claimed(let error) = self else { return nil }
        let reason = error?.description ?? "the app's backend has not signed them: post account_proof"
        return (
            "unverified_account",
            "account and tags are kept as claims, and GET /v1/tokens does not find the device by them: \(reason)"
        )
    }
}

extension PostedRegistration {
    /// Signing out needs no proof.
    func standing(deviceID: UUID, by credential: Credential, now: Instant) -> AccountStanding {
        guard account?.isEmpty == false || tags?.isEmpty == false else { return .absent }
        guard credential.kind == .device, credential.trust.accounts == .verified else { return .verified }
        guard let accountProof else { return .claimed(nil) }
        do {
            try AccountProof(accountProof).check(
                .init(account: account ?? "", tags: tags ?? [], deviceID: deviceID),
                keys: credential.trust.accountKeys, now: now)
            return .verified
        } catch {
            return .claimed(error)
        }
    }
}

extension Registered {
    /// The warning for a device that has claimed an installation about which only a server had said
    /// something, if the registration does not say all of it itself.
    func warning(for registration: Registration) -> (code: String, detail: String)? {
        guard endsVerification, registration.account == nil || registration.tags == nil else { return nil }
        return (
            "unverified_account",
            "the account and tags that a server gave this device are kept as claims, unless this registration proves them: "
                + "post account_proof, or let the server register them again"
        )
    }
}
