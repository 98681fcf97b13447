public import DeliveryModel
public import PostgresClient

/// Links that show one page of an app to anyone who has them.
public enum ShareLinks {
    /// Creates a link. The returned secret cannot be retrieved again.
    ///
    /// - Parameters:
    ///   - path: the page's path and query string.
    ///   - isRolling: whether the window of the page moves with time.
    /// - Throws: ``PeopleError``, `PostgresError`.
    public static func create(
        _ path: String, of app: App, title: String, isRolling: Bool, expiresAt: Instant,
        by person: Person, now: Instant, on connection: PostgresConnection
    ) throws -> (link: ShareLink, secret: Secret) {
        guard path.isLocalPath, path.utf8.count <= FieldLimits.sharedPath
        else { throw PeopleError.invalidSharedPath }
        guard (1...FieldLimits.line).contains(title.unicodeScalars.count), title.controlsEscaped == title
        else { throw PeopleError.invalidShareTitle }
        let secret = Secret.random()
        let row = try connection.query(
            .People.createShareLink,
            [
                .value(app.appID), .value(secret.digest), .value(path), .value(title), .value(isRolling),
                .value(person.name), .value(now), .value(expiresAt),
            ]
        ).single()
        let link = ShareLink(
            id: try row.get("share_link_id"), app: app, path: path, title: title, isRolling: isRolling,
            createdBy: person.name, createdAt: now, expiresAt: expiresAt)
        return (link, secret)
    }

    /// `nil` if the link is revoked, expired or unknown.
    public static func find(
        _ secret: Secret, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> ShareLink? {
        let rows = try connection.query(.People.findShareLink, [.value(secret.digest), .value(now)])
        guard let row = rows.first else { return nil }
        var link = try row.decode(ShareLink.self)
        link.app.cell = CellNumber(Int(try row.get("cell", as: Int32.self))) ?? .front
        return link
    }

    /// The links of an app that work, the newest first.
    public static func list(
        of app: App, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> [ShareLink] {
        try connection.query(
            .People.listShareLinks, [.value(app.appID), .value(now), .value(app.slug)]
        ).decode()
    }

    /// - Throws: ``PeopleError/noSuchShareLink(_:app:)``, `PostgresError`.
    public static func revoke(_ id: Int64, of app: App, on connection: PostgresConnection) throws {
        let revoked = try connection.query(.People.revokeShareLink, [.value(app.appID), .value(id)])
        guard revoked.count == 1 else { throw PeopleError.noSuchShareLink(id, app: app.slug) }
    }
}

extension String {
    /// Whether browsers take the text for a page of this server. `//host` and `/\host` name another, and so
    /// does a scheme; control characters could hide one.
    public var isLocalPath: Bool {
        hasPrefix("/") && !hasPrefix("//")
            && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }
}

public struct ShareLink: Hashable, Decodable, Sendable {
    public let id: Int64
    /// The app, without its providers and origins.
    public internal(set) var app: App
    /// The page's path and query string.
    public let path: String
    public let title: String
    public let isRolling: Bool
    /// The name of a person.
    public let createdBy: String
    public let createdAt: Instant
    public let expiresAt: Instant
}
