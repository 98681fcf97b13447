import DeliveryModel
import People
import PostgresClient
import TestDatabase

/// A fixed time, connections to the database of people, and people in it.
struct PeopleBench {
    let now = Instant(millisecondsSinceEpoch: 1_794_000_000_000)
    static let passphrase = "correct horse battery"

    func connect() throws -> PostgresConnection { try TestDatabase.current.front.connect() }

    /// Creates two apps, of another cell if there are several.
    func apps(on connection: PostgresConnection) throws -> (shop: App, news: App) {
        let database = TestDatabase.current
        let connection = try TestDatabase.hasSeveralCells ? database.connect() : connection
        return try (
            database.createApp("shop", at: now, on: connection),
            database.createApp("news", at: now, on: connection)
        )
    }

    func person(
        _ name: String = "ada@example.com", _ grants: Grants = Grants(.viewer),
        on connection: PostgresConnection
    ) throws -> Person {
        try PeopleDirectory.add(name, grants, now: now, on: connection).person
    }

    /// A person who has set the passphrase of all tests. Hashing takes a while in debug builds.
    func personWithPassphrase(
        _ name: String = "ada@example.com", on connection: PostgresConnection
    ) throws -> Person {
        let link = try PeopleDirectory.add(name, Grants(.viewer), now: now, on: connection).link
        guard
            let person = try PeopleDirectory.useLink(
                link.secret, passphrase: Passphrase.hash(Self.passphrase), now: now, on: connection)
        else { throw PeopleError.noSuchPerson(name) }
        return person
    }

    func session(_ person: Person, at instant: Instant? = nil, on connection: PostgresConnection) throws
        -> Secret
    {
        try Sessions.begin(
            person, by: .passphrase, address: "192.0.2.7", userAgent: "Firefox", now: instant ?? now,
            on: connection)
    }

    /// The person with this name and passphrase.
    func person(_ name: String, with passphrase: String, on connection: PostgresConnection) throws -> Person?
    {
        let stored = try PeopleDirectory.passphrase(of: name, on: connection)
        return try stored.personID(with: passphrase).flatMap {
            try PeopleDirectory.find(id: $0, on: connection)
        }
    }
}
