public import Access
public import Instants
public import PostgresClient
internal import SQLFiles

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
