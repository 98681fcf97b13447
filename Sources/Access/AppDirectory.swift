public import DeliveryModel
public import PostgresClient
public import Trust
public import Vault

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
                appID: try row.get("app_id"), slug: try row.get("slug"),
                additionalProviders: try row.getArray("providers"))
        }
    }

    /// The web origins that any app allows.
    public func origins() throws(PostgresError) -> WebOrigins {
        WebOrigins(try connection.query(.Access.listOrigins).column("origin"))
    }

    /// Creates an app in this cell; ``CellDirectory`` creates one in any.
    public func createApp(slug: String, at now: Instant) throws -> App {
        guard App.isValid(slug: slug) else { throw AccessError.invalidSlug(slug) }
        guard let row = try connection.query(.Access.createApp, [.value(slug), .value(now)]).first else {
            throw try reasonWhyTaken(slug)
        }
        return try row.decode(App.self)
    }

    func reasonWhyTaken(_ slug: String) throws(PostgresError) -> AccessError {
        guard let row = try connection.query(.Access.findReservation, [.value(slug)]).first else {
            return .slugTaken(slug)
        }
        return .slugReserved(slug, cell: Int(try row.get("cell", as: Int32.self)))
    }

    /// The app's own settings by name, as people write them, including those that this version does not know.
    public func settings(of app: App) throws(PostgresError) -> [String: String] {
        let rows = try connection.query(.Access.listAppSettings, [.value(app.appID)])
        var settings: [String: String] = [:]
        for row in rows { settings[try row.get("key", as: String.self)] = try row.getOptional("value") ?? "" }
        return settings
    }

    /// - Throws: ``AccessError/invalidSetting(_:expectation:)``, `PostgresError`.
    public func set(_ setting: AppSetting, to text: String, of app: App) throws {
        try connection.fence([app.appID])
        try connection.query(
            .Access.setAppSetting, [.value(app.appID), .value(setting.name), .value(try setting.json(text))])
    }

    /// Restores the default. Also accepts names that no setting has anymore.
    public func unset(_ name: String, of app: App) throws(PostgresError) {
        try connection.fence([app.appID])
        try connection.query(.Access.unsetAppSetting, [.value(app.appID), .value(name)])
    }

    /// Creates a key and stores its digest. The returned text cannot be retrieved again.
    public func createKey(kind: APIKey.Kind, for app: App, at now: Instant) throws -> APIKey {
        try connection.fence([app.appID])
        let key = APIKey.random(kind: kind, cell: app.cell)
        try connection.query(
            .Access.createKey,
            [.value(app.appID), .value(kind.rawValue), .value(key.digest), .value(key.prefix), .value(now)])
        return key
    }

    /// Creates a signing key and stores it sealed. Two of a kind are valid at a time, so that one can replace
    /// the other without a break.
    ///
    /// - Returns: its text, which no command shows again.
    /// - Throws: ``AccessError/twoSigningKeys(_:app:)``, `PostgresError`.
    public func createSigningKey(
        kind: SigningKey.Kind, for app: App, vault: TokenVault, at now: Instant
    ) throws -> String {
        try connection.fence([app.appID])
        let text = SigningKey.randomText(kind)
        let sealed = try vault.seal(Array(text.utf8), for: .signingKey(ofApp: app.appID))
        let created = try connection.query(
            .Access.createSigningKey,
            [
                .value(app.appID), .value(kind.rawValue), .value(APIKey.digest(of: text)),
                .value(APIKey.prefix(of: text)), .value(now), .value(sealed),
            ])
        guard created.count == 1 else { throw AccessError.twoSigningKeys(kind.rawValue, app: app.slug) }
        return text
    }

    /// Stores a secret with which a sender signs what it posts to `/v1/intake/{preset}`, sealed. Two of a
    /// preset are valid at a time, so that one can replace the other without a break.
    ///
    /// - Parameter preset: the preset's name, which the caller has checked.
    /// - Throws: ``AccessError/twoSigningKeys(_:app:)``, `PostgresError`.
    public func addIntakeSecret(
        _ secret: String, of preset: String, for app: App, vault: TokenVault, at now: Instant
    ) throws {
        try connection.fence([app.appID])
        let sealed = try vault.seal(Array(secret.utf8), for: .signingKey(ofApp: app.appID))
        // A digest of a short secret could be guessed, and no one presents it as a key.
        let digest = APIKey.random(kind: .server).digest
        let created = try connection.query(
            .Access.createSigningKey,
            [
                .value(app.appID), .value(TrustRules.intake), .value(digest), .value(preset), .value(now),
                .value(sealed),
            ])
        guard created.count == 1 else {
            throw AccessError.twoSigningKeys("\(preset) \(TrustRules.intake)", app: app.slug)
        }
    }

    /// What the app demands of devices, with its valid signing keys, newest first: the first one signs, all
    /// of them are accepted.
    ///
    /// - Parameter leavesOutUnreadable: whether a signing key that cannot be opened is left out. Then what it
    ///   signed is rejected, and everything else works.
    /// - Throws: `PostgresError`; if a signing key cannot be opened, the error of the vault.
    public func trust(
        of app: App, vault: TokenVault, leavesOutUnreadable: Bool = false
    ) throws -> TrustRules {
        var rules = TrustRules()
        for row in try connection.query(.Access.findTrust, [.value(app.appID)]) {
            rules.accounts =
                try row.getOptional("accounts").flatMap(TrustRules.Accounts.init) ?? rules.accounts
            rules.credentials =
                try row.getOptional("credentials").flatMap(TrustRules.Demand.init) ?? rules.credentials
            rules.receipts = try row.getOptional("receipts").flatMap(TrustRules.Demand.init) ?? rules.receipts
            rules.deviceQuota = try row.getOptional("device_quota") ?? rules.deviceQuota
            guard let kind = try row.getOptional("kind", as: String.self) else { continue }
            let prefix = try row.get("prefix", as: String.self)
            let sealed = try row.get("sealed_key", as: [UInt8].self)
            do {
                let opened = try vault.open(sealed, from: .signingKey(ofApp: app.appID))
                rules.add(String(decoding: opened, as: UTF8.self), kind: kind, prefix: prefix)
            } catch  where leavesOutUnreadable {
                rules.leaveOut(kind: kind, prefix: prefix)
            }
        }
        return rules
    }

    public func keys(of app: App) throws -> [StoredKey] {
        try connection.query(.Access.listKeys, [.value(app.appID)]).decode()
    }

    /// Revokes a key. Servers remember keys for a few seconds, so they notice with that delay.
    public func revokeKey(_ keyID: Int64, of app: App, at now: Instant) throws {
        try connection.fence([app.appID])
        let rows = try connection.query(.Access.revokeKey, [.value(app.appID), .value(keyID), .value(now)])
        guard rows.count == 1 else { throw AccessError.noSuchKey(keyID, app: app.slug) }
    }

    /// The app of a key and what the key may do, or the cell that the app has moved to; neither if the key is
    /// unknown or revoked.
    ///
    /// - Parameter vault: opens the app's signing keys.
    package func locate(
        _ digest: [UInt8], vault: TokenVault
    ) throws -> (credential: Credential?, redirect: CellNumber?) {
        var located = try find(digest)
        if let app = located.credential?.app {
            located.credential?.trust = try trust(of: app, vault: vault, leavesOutUnreadable: true)
        }
        return located
    }

    /// The app of a key; `nil` if the key is unknown or revoked.
    public func app(ofKey digest: [UInt8]) throws -> App? { try find(digest).credential?.app }

    /// The digests that belong to bearer keys that are not revoked.
    func live(_ digests: [KeyDigest]) throws -> Set<KeyDigest> {
        let rows = try connection.query(.Access.findLiveKeys, [.array(digests.map(\.bytes))])
        let live = Set(try rows.column("digest", as: [UInt8].self))
        return Set(digests.filter { live.contains($0.bytes) })
    }

    /// Without what the app demands of devices.
    private func find(_ digest: [UInt8]) throws -> (credential: Credential?, redirect: CellNumber?) {
        guard let row = try connection.query(.Access.findKey, [.value(digest)]).first else {
            return (nil, nil)
        }
        if let cell = try row.getOptional("cell", as: Int32.self) { return (nil, CellNumber(Int(cell))) }
        guard let kind = APIKey.Kind(rawValue: try row.get("kind")) else { return (nil, nil) }
        var app: App = try row.decode()
        app.additionalProviders = try row.getArray("providers")
        app.origins = WebOrigins(try row.getArray("origins"))
        return (Credential(keyID: try row.get("api_key_id"), kind: kind, app: app), nil)
    }
}

/// A key as the database stores it.
public struct StoredKey: Decodable, Sendable {
    public let keyID: Int64
    public let kind: String
    public let prefix: String
    public let createdAt: Instant
    public let revokedAt: Instant?
}

extension TrustRules {
    /// The kind of the secrets with which other senders sign what they post.
    fileprivate static let intake = "intake"

    /// - Parameter prefix: as stored; of an intake secret, the name of its preset.
    fileprivate mutating func add(_ text: String, kind: String, prefix: String) {
        switch SigningKey.Kind(rawValue: kind) {
        case .account: accountKeys.append(SigningKey(text))
        case .receipt: receiptKeys.append(SigningKey(text))
        case nil where kind == Self.intake: intakeSecrets[prefix, default: []].append(text)
        case nil: break
        }
    }

    /// A preset whose secrets cannot be opened is not one without secrets.
    fileprivate mutating func leaveOut(kind: String, prefix: String) {
        if kind == Self.intake { intakeSecrets[prefix, default: []] += [] }
    }
}
