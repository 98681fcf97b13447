internal import Access
public import DeliveryModel
internal import Foundation
public import PostgresClient
public import Vault

/// Finds the subject of a story and its app.
struct StorySearch {
    let connection: PostgresConnection

    /// The names of the apps that have this device.
    func apps(ofDevice deviceID: UUID) throws -> [String] {
        let apps = try AppDirectory(connection).apps()
        let rows = try connection.query(
            .Stories.appsOfDevice, [.array(apps.map(\.appID)), .value(deviceID)])
        return try Self.names(rows, among: apps)
    }

    /// The names of the apps that have this notification.
    func apps(ofNotification notificationID: UUID, now: Instant) throws -> [String] {
        let apps = try AppDirectory(connection).apps()
        let span = try sendingTimes(of: notificationID, now: now)
        let rows = try connection.query(
            .Stories.appsOfNotification,
            [
                .array(apps.map(\.appID)), .value(notificationID), .value(span.lowerBound),
                .value(span.upperBound),
            ])
        return try Self.names(rows, among: apps)
    }

    /// The times at which a notification can have been sent. For a version 7 id: the time in the
    /// id, and those of the pointers from there. Any other id may be from any day that is kept.
    func sendingTimes(of notificationID: UUID, now: Instant) throws -> ClosedRange<Instant> {
        guard let idTime = notificationID.versionSevenInstant else {
            return Self.keptSince(now)...(now + .days(2))
        }
        let times: [Instant] = try connection.query(
            .Stories.pointers, [.value(notificationID), .value(idTime)]
        ).column("sent_at")
        return times.reduce(idTime...idTime) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
    }

    /// The earliest time to search: ten times the standard retention ago.
    static func keptSince(_ now: Instant) -> Instant {
        now - Span(milliseconds: 10 * Span.standardRetention.milliseconds)
    }

    /// The instant before which notifications were dropped; `nil` if none were.
    func keptFrom() throws -> Instant? {
        try connection.query(.Ingestion.keptFrom).first?.get("kept_from")
    }

    /// The names of the apps that the rows name by their ids.
    static func names(_ rows: some Sequence<PostgresRow>, among apps: [App]) throws -> [String] {
        let appIDs = Set(try rows.map { try $0.get("app_id", as: Int64.self) })
        return apps.filter { appIDs.contains($0.appID) }.map(\.slug)
    }
}

/// A token as the user specified it. It is never printed, because it may be the value.
public struct TokenName: Sendable {
    enum Lookup: Sendable {
        case tokenID(Int64)
        /// The first hex digits of a fingerprint, in lower case; 64 are a complete one.
        case fingerprint(String)
    }

    /// What to look up first, because it needs no key. 64 hex digits may be either a fingerprint or a value.
    let lookups: [Lookup]
    /// The normalized forms of the text if it is a value.
    let values: [String]

    static let shortestFingerprint = 8

    /// - Throws: ``TokenNameMistake``.
    public init(_ typed: String) throws(TokenNameMistake) {
        if typed.hasPrefix("#") {
            guard let tokenID = Int64(typed.dropFirst()), tokenID > 0 else {
                throw TokenNameMistake(description: "# must be followed by a number, such as #12")
            }
            lookups = [.tokenID(tokenID)]
            values = []
            return
        }
        guard !typed.isEmpty else { throw TokenNameMistake(description: "no token was specified") }
        let isShort = typed.utf8.count < Self.shortestFingerprint
        if isShort, let tokenID = Int64(typed), tokenID > 0 {
            throw TokenNameMistake(description: "a number must begin with #: #\(tokenID)")
        }
        let isHex = typed.allSatisfy { $0.isASCII && $0.isHexDigit }
        lookups = isHex && !isShort && typed.utf8.count <= 64 ? [.fingerprint(typed.lowercased())] : []
        let issuers = Set(TokenKind.allCases.map(\.provider))
        values = Set(issuers.compactMap { try? TokenValue.read(typed, issuer: $0).get().canonical }).sorted()
        guard !lookups.isEmpty || !values.isEmpty else {
            throw TokenNameMistake(
                description:
                    "this is not a token: values have no spaces and at most 1,024 bytes, endpoints 2,048")
        }
    }
}

/// The text is not the name of a token. It is not repeated, because it may be the value of one.
public struct TokenNameMistake: Error, Hashable, CustomStringConvertible {
    public let description: String
}

/// Finds the tokens that a name identifies.
public struct TokenSearch {
    private let app: App
    private let connection: PostgresConnection
    private let vault: () throws -> TokenVault?

    /// - Parameter vault: returns the key of the server that filled the database; `nil` if it is not
    ///   available. Called only to look up values.
    public init(app: App, connection: PostgresConnection, vault: @escaping () throws -> TokenVault?) {
        self.app = app
        self.connection = connection
        self.vault = vault
    }

    public enum Result: Equatable, Sendable {
        case one(Int64)
        /// One value in several environments or topics, or a prefix that several fingerprints share.
        case several([Int64])
    }

    /// - Throws: ``StoryError``, `PostgresError`.
    public func find(_ name: TokenName) throws -> Result {
        if let result = try result(name.lookups) { return result }
        guard !name.values.isEmpty else { throw try unknown(name.lookups) }
        guard let vault = try self.vault() else {
            throw name.lookups.isEmpty ? StoryError.noTokenKey : .noFingerprint
        }
        let asValues = name.values.map { value in
            TokenName.Lookup.fingerprint(
                vault.fingerprint(of: value).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                    .joined())
        }
        if let result = try result(asValues) { return result }
        throw try unknown(name.lookups + asValues)
    }

    private func result(_ lookups: [TokenName.Lookup]) throws -> Result? {
        let tokenIDs = try found(lookups, in: [app]).map { try $0.get("token_id", as: Int64.self) }
        guard let first = tokenIDs.first else { return nil }
        return tokenIDs.count == 1 ? .one(first) : .several(tokenIDs)
    }

    /// The tokens of these apps; at most 10 for each lookup.
    private func found(_ lookups: [TokenName.Lookup], in apps: [App]) throws -> [PostgresRow] {
        let appIDs = PostgresParameter.array(apps.map(\.appID))
        return try lookups.flatMap { lookup -> PostgresRows in
            switch lookup {
            case .tokenID(let tokenID):
                try connection.query(.Stories.findTokenById, [appIDs, .value(tokenID)])
            case .fingerprint(let digits):
                try connection.query(
                    .Stories.findTokens,
                    [
                        appIDs, .value(Self.bytes(digits, filledWith: "0")),
                        .value(Self.bytes(digits, filledWith: "f")), .value(Int64(10)),
                    ])
            }
        }
    }

    private func unknown(_ lookups: [TokenName.Lookup]) throws -> StoryError {
        let others = try AppDirectory(connection).apps().filter { $0.appID != app.appID }
        return .unknownToken(
            app: app.slug, knownIn: try StorySearch.names(try found(lookups, in: others), among: others))
    }

    /// 32 bytes from up to 64 hex digits.
    private static func bytes(_ digits: String, filledWith digit: Character) -> [UInt8] {
        let whole = Array(digits.prefix(64)) + Array(repeating: digit, count: max(0, 64 - digits.count))
        return stride(from: 0, to: 64, by: 2).map { position in
            UInt8(String(whole[position...position + 1]), radix: 16) ?? 0
        }
    }
}
