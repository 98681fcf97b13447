public import DeliveryModel
public import PostgresClient

/// Who did what, in the console and on the command line. Entries are kept for 400 days.
///
/// The times are those of PostgreSQL's clock.
public enum Audit {
    /// The name in entries of commands: they need no sign-in.
    public static let commandLine = "command line"
    /// The name in entries of a proxy that signs people in.
    public static let proxy = "sign-in proxy"
    private static let retention = Span.standardRetention

    /// - Parameters:
    ///   - person: the person who was signed in, if any.
    ///   - name: if there is no person: the name that was entered, or ``commandLine``.
    ///   - act: `sign_in`, `sign_in_failed`, `key_created`, …
    ///   - app: `nil` if the act concerns all apps or none.
    ///   - subject: what it was done to; never a secret.
    ///   - address: from where it was done; empty for the command line.
    public static func record(
        _ person: Person?, name: String = "", act: String, app: App? = nil, subject: String = "",
        address: String = "", on connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.query(
            .People.recordAct,
            [
                .value((person?.name ?? name).storable(FieldLimits.person)), .value(person?.id), .value(act),
                .value(app?.slug), .value(subject.storable(1_000)), .value(address.storable(100)),
            ])
    }

    /// The newest entries first.
    ///
    /// - Parameter id: the last entry of the page before this one.
    public static func list(
        before id: Int64? = nil, limit: Int = 100, on connection: PostgresConnection
    ) throws(PostgresError) -> [AuditEntry] {
        try connection.query(.People.listActs, [.value(id ?? .max), .value(Int64(limit))]).decode()
    }

    /// Whether a person with this name has signed in from this address within the last 90 days.
    public static func hasSignedIn(
        _ name: String, from address: String, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
        try connection.query(
            .People.hasSignedIn,
            [
                .value(name.storable(FieldLimits.person)), .value(address.storable(100)),
                .value(now - .days(90)),
            ]
        ).single().get("has_signed_in")
    }

    /// Removes the entries that are no longer kept.
    public static func removeOld(now: Instant, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.People.removeOldActs, [.value(now - retention)])
    }
}

public struct AuditEntry: Hashable, Decodable, Sendable {
    public let id: Int64
    public let at: Instant
    public let name: String
    /// `nil` if no person was signed in: then ``name`` is only what was entered.
    public let personID: Int64?
    public let act: String
    /// The slug of the app.
    public let app: String?
    public let subject: String
    public let address: String
}

extension String {
    /// The start of a text from outside, in one line: PostgreSQL stores no NUL, and no client may fill it.
    func storable(_ most: Int) -> String {
        String(String.UnicodeScalarView(controlsEscaped.unicodeScalars.prefix(most)))
    }
}
