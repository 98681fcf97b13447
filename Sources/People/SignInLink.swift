public import Instants

/// A new link that signs a person in once. Its secret cannot be retrieved again.
public struct SignInLink: Sendable {
    public enum Kind: String, Sendable {
        /// The person sets a passphrase.
        case setPassphrase = "set_passphrase"
        /// Nothing else is asked: for the person who has started the server.
        case signIn = "sign_in"

        /// How long a link of this kind works.
        public var lifetime: Span {
            switch self {
            case .setPassphrase: .hours(24)
            case .signIn: .hours(1)
            }
        }
    }

    /// The path of a link, before its secret.
    public static let path = "/sign-in/link/"

    public let kind: Kind
    public let secret: Secret
    public let expiresAt: Instant

    init(_ kind: Kind, now: Instant) {
        self.kind = kind
        secret = .random()
        expiresAt = now + kind.lifetime
    }

    /// The path of this link.
    public var path: String { Self.path + secret.text }
}

/// A link that works and has not been used.
public struct OpenedLink: Sendable {
    public let person: Person
    public let kind: SignInLink.Kind
    public let expiresAt: Instant
}
