public import Access
public import PostgresClient
public import TokenLifecycle

/// Finds the tokens that a name identifies.
public struct TokenSearch {
    private let app: App
    private let connection: PostgresConnection
    private let vault: () throws -> TokenVault?

    /// - Parameter vault: returns the key of the server that filled the database; `nil` if it is not available. Called only to look up
    ///   values.
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

    /// - Throws: ``TokenSearchProblem``, `PostgresError`.
    public func find(_ name: TokenName) throws -> Result {
        let known = try found(name.names, in: [app])
        if let result = Self.result(known) { return result }
        guard !name.values.isEmpty else { throw try unknown(name.names) }
        guard let vault = try self.vault() else {
            throw name.names.isEmpty ? TokenSearchProblem.noTokenKey : TokenSearchProblem.noFingerprint
        }
        let asValues = name.values.map {
            StorySearch.TokenName.fingerprint(Self.hex(vault.fingerprint(of: $0)))
        }
        if let result = Self.result(try found(asValues, in: [app])) { return result }
        throw try unknown(name.names + asValues)
    }

    private func found(_ names: [StorySearch.TokenName], in apps: [App]) throws -> [StorySearch.Found] {
        let search = StorySearch(connection: connection)
        return try names.flatMap { try search.tokens(named: $0, appIDs: apps.map(\.appID)) }
    }

    private static func result(_ found: [StorySearch.Found]) -> Result? {
        guard let first = found.first else { return nil }
        return found.count == 1 ? .one(first.tokenID) : .several(found.map(\.tokenID))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func unknown(_ names: [StorySearch.TokenName]) throws -> TokenSearchProblem {
        let others = try AppDirectory(connection).apps().filter { $0.appID != app.appID }
        let appIDs = Set(try found(names, in: others).map(\.appID))
        return .unknown(app: app.slug, knownIn: others.filter { appIDs.contains($0.appID) }.map(\.slug))
    }
}
