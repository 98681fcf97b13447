internal import Foundation
internal import LandfallCore

/// What the app remembers between launches about its registration. It contains no token.
struct Standing: Hashable, Codable {
    /// The fingerprint of the registration that the server accepted last.
    var accepted: String?
    /// In milliseconds since 1970.
    var acceptedAt: Int64?
    var account: String?
    var tags: [String]?
    var accountProof: String?
    /// The user signed out: the installation has no tokens until someone signs in.
    var isSignedOut = false
    /// The server does not know yet that the user signed out.
    var owesLogOut = false
    /// The server erased the device on request.
    var isErased = false

    /// The server hears of an installation at least this often while the app is used: that is its sign of
    /// life.
    static let repetition: Int64 = 86_400_000

    /// Whether a registration must be posted. Pure.
    func needs(_ fingerprint: String, now: Int64) -> Bool {
        guard accepted == fingerprint, let acceptedAt else { return true }
        // A clock that was set back counts as a day, too.
        return abs(now - acceptedAt) >= Self.repetition
    }
}

/// What a response to a registration means. Pure.
enum RegistrationVerdict: Equatable {
    case accepted(credential: String?)
    /// The server knows this id under another credential: the installation has lost its own, so it becomes a
    /// new one.
    case becomeNew
    /// Erased on request: forget the id. The next launch by a person creates a new one.
    case erased
    /// It would be rejected again until something in it changes.
    case rejected(code: String)
    /// Try again at the next occasion, after as many seconds if the server said so.
    case retry(after: Int?)

    init(_ response: Response?, hasTokens: Bool) {
        guard let response else {
            self = .retry(after: nil)
            return
        }
        switch (response.status, response.problemCode) {
        case (200, _):
            guard let object = response.object, object["device_id"] != nil else {
                self = .retry(after: nil)
                return
            }
            self = .accepted(credential: object["credential"] as? String)
        case (403, "credential_required"):
            // One of its current tokens would have been enough. Without a token, wait until there is one.
            self = hasTokens ? .becomeNew : .retry(after: nil)
        case (410, .some): self = .erased
        case (400..<500, let code?) where response.status != 408 && response.status != 429:
            self = .rejected(code: code)
        default: self = .retry(after: response.retryAfter)
        }
    }
}
