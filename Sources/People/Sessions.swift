internal import Crypto
internal import Foundation
public import PostgresClient
internal import Trust

/// Who is signed in. The secret of a session is in a cookie; the database stores its digest.
public enum Sessions {
    /// A session ends this long after it was last used.
    public static let idleLimit = Span.hours(12)
    /// A session ends this long after its start, whether it is used or not.
    public static let longest = Span.days(30)
    /// A session that is used is written at most this often.
    private static let touchInterval = Span.minutes(1)

    /// Begins a session with a new secret. A secret that the browser had before never becomes a session.
    ///
    /// - Throws: ``PeopleError/noSuchPerson(_:)`` if the person has been removed; `PostgresError`.
    public static func begin(
        _ person: Person, by method: SignInMethod, address: String, userAgent: String, now: Instant,
        on connection: PostgresConnection
    ) throws -> Secret {
        let secret = Secret.random()
        let begun = try connection.query(
            .People.beginSession,
            [
                .value(secret.digest), .value(person.id), .value(method.rawValue),
                .value(address.storable(100)), .value(userAgent.storable(400)), .value(now),
            ])
        guard begun.count == 1 else { throw PeopleError.noSuchPerson(person.name) }
        return secret
    }

    /// `nil` if the session has ended.
    public static func find(
        _ secret: Secret, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> Session? {
        let parameters: [PostgresParameter] = [
            .value(secret.digest), .value(now - idleLimit), .value(now - longest),
        ]
        guard let row = try connection.query(.People.findSession, parameters).first else { return nil }
        let id: Int64 = try row.get("session_id")
        let lastSeenAt: Instant = try row.get("last_seen_at")
        if now - lastSeenAt >= touchInterval {
            // A database that accepts no writes is when people need to read the console.
            _ = try? connection.query(.People.touchSession, [.value(id), .value(now)])
        }
        return Session(
            person: try Person(row), id: id, method: try row.get("method"),
            formToken: secret.code(for: "form token"))
    }

    /// The people of these sessions with their current grants; none for a session that has ended.
    public static func people(
        of sessionIDs: [Int64], now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> [Int64: Person] {
        let rows = try connection.query(
            .People.findPeopleOfSessions,
            [.array(sessionIDs), .value(now - idleLimit), .value(now - longest)])
        var people: [Int64: Person] = [:]
        for row in rows { people[try row.get("session_id")] = try Person(row) }
        return people
    }

    public static func end(_ secret: Secret, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.People.endSession, [.value(secret.digest)])
    }

    /// Ends a session by its number, if it is one of the person's.
    public static func end(
        id: Int64, of person: Person, on connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.query(.People.endSessionById, [.value(id), .value(person.id)])
    }

    public static func endAll(of person: Person, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.People.endSessions, [.value(person.id)])
    }

    /// Removes sessions, sign-in and share links that no longer work. They are not accepted before either.
    public static func removeExpired(now: Instant, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(
            .People.removeExpired, [.value(now), .value(now - idleLimit), .value(now - longest)])
    }
}

/// How a person signed in.
public enum SignInMethod: String, Sendable {
    case passphrase
    case link
    case proxy
}

/// The session of a request.
public struct Session: Sendable {
    /// The person with the grants as they are now.
    public var person: Person
    public let id: Int64
    public let method: SignInMethod
    /// A token in every form of this session, so no other site can submit one. It does not reveal the secret.
    public let formToken: String

    /// Compares in constant time.
    public func accepts(formToken: String) -> Bool {
        isEqualInConstantTime(formToken, self.formToken)
    }

    /// Proves that a text in the address of a page was written by the server for this session.
    public func signature(of text: String) -> String {
        let key = SymmetricKey(data: Data(formToken.utf8))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL
    }

    /// Compares in constant time.
    public func hasSigned(_ text: String, _ signature: String) -> Bool {
        isEqualInConstantTime(signature, self.signature(of: text))
    }
}
