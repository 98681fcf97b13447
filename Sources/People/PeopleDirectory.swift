public import DeliveryModel
public import PostgresClient

/// The people who may sign in, and their roles.
///
/// Each change is one statement, so callers can record it (``Audit``) in the same transaction.
public enum PeopleDirectory {
    /// Adds a person, who signs in with the link and sets a passphrase.
    ///
    /// - Throws: ``PeopleError``, `PostgresError`.
    public static func add(
        _ name: String, _ grants: Grants, now: Instant, on connection: PostgresConnection
    ) throws -> (person: Person, link: SignInLink) {
        let name = try Person.normalized(name)
        let link = SignInLink(.setPassphrase, now: now)
        var roles = grants.byApp
        roles[0] = grants.everywhere
        let added = try connection.query(
            .People.addPerson,
            [
                .value(name), .value(now), .array(Array(roles.keys)), .array(roles.values.map(\.rawValue)),
                .value(link.secret.digest), .value(link.expiresAt),
            ])
        guard let row = added.first else { throw PeopleError.nameTaken(name) }
        return (Person(id: try row.get("person_id"), name: name, grants: grants, hasPassphrase: false), link)
    }

    /// Everyone, ordered by name.
    public static func list(on connection: PostgresConnection) throws(PostgresError) -> [Person] {
        try connection.query(.People.listPeople).map(Person.init)
    }

    /// `nil` if no person has the name, or it cannot be a name.
    public static func find(
        _ name: String, on connection: PostgresConnection
    ) throws(PostgresError) -> Person? {
        guard let name = try? Person.normalized(name) else { return nil }
        return try connection.query(.People.findPerson, [.value(name)]).first.map(Person.init)
    }

    public static func find(id: Int64, on connection: PostgresConnection) throws(PostgresError) -> Person? {
        try connection.query(.People.findPersonById, [.value(id)]).first.map(Person.init)
    }

    /// Gives a person a role. It replaces the one that the person has there.
    ///
    /// - Parameter app: `nil` for all apps.
    /// - Throws: ``PeopleError``, `PostgresError`.
    @discardableResult
    public static func grant(
        _ role: Role, in app: App?, to name: String, on connection: PostgresConnection
    ) throws -> Person {
        try connection.query(
            .People.grantRole,
            [.value(try Person.normalized(name)), .value(app?.appID), .value(role.rawValue)])
        return try existing(name, on: connection)
    }

    /// Ends a person's role.
    ///
    /// - Parameter app: `nil` for the role in all apps; roles in single apps remain.
    /// - Throws: ``PeopleError``, `PostgresError`.
    @discardableResult
    public static func revokeGrant(
        in app: App?, of name: String, on connection: PostgresConnection
    ) throws -> Person {
        let revoked = try connection.query(
            .People.revokeRole, [.value(try Person.normalized(name)), .value(app?.appID)])
        let person = try existing(name, on: connection)
        guard revoked.count == 1 else { throw PeopleError.noSuchGrant(name: person.name, app: app?.slug) }
        return person
    }

    /// Removes a person, and signs the person out everywhere.
    ///
    /// - Throws: ``PeopleError``, `PostgresError`.
    public static func remove(_ name: String, on connection: PostgresConnection) throws {
        let name = try Person.normalized(name)
        guard try connection.query(.People.removePerson, [.value(name)]).count == 1 else {
            throw PeopleError.noSuchPerson(name)
        }
    }

    private static func existing(_ name: String, on connection: PostgresConnection) throws -> Person {
        guard let person = try find(name, on: connection) else { throw PeopleError.noSuchPerson(name) }
        return person
    }
}

/// Links and passphrases.
extension PeopleDirectory {
    /// The name of the person who is signed in by ``ownerLink(now:on:)``.
    public static let owner = "owner"

    /// Creates a link to set a new passphrase. The old one and earlier links stop working; all sessions end.
    ///
    /// - Throws: ``PeopleError``, `PostgresError`.
    public static func newLink(
        for name: String, now: Instant, on connection: PostgresConnection
    ) throws -> SignInLink {
        let name = try Person.normalized(name)
        let link = SignInLink(.setPassphrase, now: now)
        let created = try connection.query(
            .People.replacePassphraseLink,
            [.value(name), .value(now), .value(link.secret.digest), .value(link.expiresAt)])
        guard created.count == 1 else { throw PeopleError.noSuchPerson(name) }
        return link
    }

    /// Creates a link for the person who started the server: an admin of all apps, added unless present.
    public static func ownerLink(
        now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> SignInLink {
        let link = SignInLink(.signIn, now: now)
        try connection.query(
            .People.createOwnerLink,
            [.value(owner), .value(now), .value(link.secret.digest), .value(link.expiresAt)])
        return link
    }

    /// Finds a link without using it, for the passphrase form; `nil` if used, expired or unknown.
    public static func openLink(
        _ secret: Secret, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> OpenedLink? {
        guard let row = try connection.query(.People.openLink, [.value(secret.digest), .value(now)]).first,
            let kind = SignInLink.Kind(rawValue: try row.get("kind"))
        else { return nil }
        return OpenedLink(person: try Person(row), kind: kind, expiresAt: try row.get("expires_at"))
    }

    /// Uses a link. Of several clients that use it at once, one gets the person.
    ///
    /// A new passphrase ends the person's other links and sessions.
    ///
    /// - Parameter hash: the hash of the new passphrase (``Passphrase/hash(_:)``); `nil` for a link of kind
    ///   ``SignInLink/Kind/signIn``.
    /// - Returns: `nil` if the link is used, expired or unknown, or is of the other kind.
    public static func useLink(
        _ secret: Secret, passphrase hash: String? = nil, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> Person? {
        let used = try connection.query(.People.useLink, [.value(secret.digest), .value(now), .value(hash)])
        guard let row = used.first else { return nil }
        return try find(id: row.get("person_id"), on: connection)
    }

    /// The passphrase of the person with this name. It is compared elsewhere: scrypt is slow by design.
    public static func passphrase(
        of name: String, on connection: PostgresConnection
    ) throws(PostgresError) -> StoredPassphrase {
        // A name that is not valid is looked up too: it cannot be found.
        let name = (try? Person.normalized(name)) ?? ""
        let row = try connection.query(.People.findPassphrase, [.value(name)]).first
        return try row?.decode(StoredPassphrase.self) ?? StoredPassphrase(personID: nil, hash: nil)
    }
}

/// A person's passphrase, as it is stored.
public struct StoredPassphrase: Decodable, Sendable {
    let personID: Int64?
    let hash: String?

    /// The id of the person if the passphrase matches; otherwise `nil`, after the same time for every reason.
    ///
    /// - Parameter cost: of comparing if nothing is stored.
    public func personID(with text: String, _ cost: Passphrase.Cost = .standard) -> Int64? {
        Passphrase.matches(text, hash, cost) ? personID : nil
    }
}

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

    public var path: String { Self.path + secret.text }
}

/// A link that works and has not been used.
public struct OpenedLink: Sendable {
    public let person: Person
    public let kind: SignInLink.Kind
    public let expiresAt: Instant
}
