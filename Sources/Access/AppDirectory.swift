internal import DeliveryModel
public import Instants
public import PostgresClient
internal import SQLFiles

/// Creates and lists apps and their keys.
public struct AppDirectory {
    private let connection: PostgresConnection

    public init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// Every app, ordered by slug.
    public func apps() throws(PostgresError) -> [App] {
        try connection.query(.Access.listApps).map { row throws(PostgresError) in
            App(
                appID: try row.get(0), slug: try row.get(1),
                additionalProviders: try row.getArray("providers"))
        }
    }

    public func createApp(slug: String, at now: Instant) throws -> App {
        guard App.isValid(slug: slug) else { throw AccessError.invalidSlug(slug) }
        guard let row = try connection.query(.Access.createApp, [.value(slug), .value(now)]).first else {
            throw AccessError.slugTaken(slug)
        }
        return try App(appID: row.get(0), slug: row.get(1))
    }

    /// The app's own settings by name, as people write them, including settings that this version does not know.
    public func settings(of app: App) throws(PostgresError) -> [String: String] {
        let rows = try connection.query(.Access.listAppSettings, [.value(app.appID)])
        var settings: [String: String] = [:]
        for row in rows { settings[try row.get(0, as: String.self)] = try row.getOptional(1) ?? "" }
        return settings
    }

    /// - Throws: ``AccessError/invalidSetting(_:expectation:)``, `PostgresError`.
    public func set(_ setting: AppSetting, to text: String, of app: App) throws {
        try connection.query(
            .Access.setAppSetting, [.value(app.appID), .value(setting.name), .value(try setting.json(text))])
    }

    /// Restores the default. Also accepts names that no setting has anymore.
    public func unset(_ name: String, of app: App) throws(PostgresError) {
        try connection.query(.Access.unsetAppSetting, [.value(app.appID), .value(name)])
    }

    /// Creates a key and stores its digest. The returned text cannot be retrieved again.
    public func createKey(kind: APIKey.Kind, for app: App, at now: Instant) throws -> APIKey {
        let key = APIKey.random(kind: kind)
        try connection.query(
            .Access.createKey,
            [.value(app.appID), .value(kind.rawValue), .value(key.digest), .value(key.prefix), .value(now)])
        return key
    }

    public func keys(of app: App) throws -> [StoredKey] {
        try connection.query(.Access.listKeys, [.value(app.appID)]).map { row in
            StoredKey(
                keyID: try row.get(0), kind: try row.get(1), prefix: try row.get(2),
                createdAt: try row.get(3), revokedAt: try row.getOptional(4))
        }
    }

    /// Revokes a key. Servers remember keys for a few seconds, so they notice with that delay.
    public func revokeKey(_ keyID: Int64, of app: App, at now: Instant) throws {
        let rows = try connection.query(
            .Access.revokeKey, [.value(app.appID), .value(keyID), .value(now)])
        guard rows.count == 1 else { throw AccessError.noSuchKey(keyID, app: app.slug) }
    }

    /// The app and kind of a key; `nil` if the key is unknown or revoked.
    public func credential(digest: [UInt8]) throws -> Credential? {
        guard let row = try connection.query(.Access.findKey, [.value(digest)]).first,
            let kind = APIKey.Kind(rawValue: try row.get(1))
        else { return nil }
        return Credential(
            keyID: try row.get(0), kind: kind,
            app: App(
                appID: try row.get(2), slug: try row.get(3),
                additionalProviders: try row.getArray("providers")))
    }
}

/// The app and kind of a valid key.
public struct Credential: Hashable, Sendable {
    public let keyID: Int64
    public let kind: APIKey.Kind
    public let app: App

    public init(keyID: Int64, kind: APIKey.Kind, app: App) {
        self.keyID = keyID
        self.kind = kind
        self.app = app
    }
}

/// A key as the database stores it.
public struct StoredKey: Sendable {
    public let keyID: Int64
    public let kind: String
    public let prefix: String
    public let createdAt: Instant
    public let revokedAt: Instant?
}

public enum AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    case invalidSlug(String)
    case slugTaken(String)
    case noSuchKey(Int64, app: String)
    case unknownSetting(String)
    case invalidSetting(String, expectation: String)

    public var description: String {
        switch self {
        case .invalidSlug(let slug):
            "'\(slug)' is not a valid app name: use at most 63 lowercase letters, digits, '.', '_' and '-', "
                + "beginning with a letter or digit"
        case .slugTaken(let slug):
            "app '\(slug)' already exists; 'landfall app list' shows all apps"
        case .noSuchKey(let keyID, let app):
            "app '\(app)' has no key \(keyID) that can be revoked; 'landfall key list --app \(app)' shows its keys"
        case .unknownSetting(let name):
            "there is no setting '\(name)': use one of \(AppSetting.all.map(\.name).joined(separator: ", "))"
        case .invalidSetting(let name, let expectation):
            "\(name) must be \(expectation)"
        }
    }
}
