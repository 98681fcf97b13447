internal import Crypto
public import Foundation
public import PostgresClient

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The 32 secret bytes with which device tokens are fingerprinted and sealed.
///
/// All servers of one database need the same key, and without it no token can be read again.
public struct TokenKey: Sendable {
    public static let environmentVariable = "LANDFALL_TOKEN_KEY"
    /// The variable of the key that tokens are to be moved to.
    public static let nextEnvironmentVariable = "LANDFALL_TOKEN_KEY_NEXT"
    static let fileName = "token.key"

    let bytes: SymmetricKey

    /// Parses the key's base64 text.
    public init(base64: String) throws {
        let text = base64.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { throw TokenKeyError.malformed }
        self.bytes = SymmetricKey(data: bytes)
    }

    private init(bytes: SymmetricKey) {
        self.bytes = bytes
    }

    public static func random() -> TokenKey {
        TokenKey(bytes: SymmetricKey(size: .bits256))
    }

    /// The key of the environment, else of `token.key` in the data folder, created (mode 0600) on first use.
    public static func load(
        dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> TokenKey {
        if let key = try find(dataFolder: dataFolder, environment: environment) { return key }
        return try random().stored(in: dataFolder.appendingPathComponent(fileName))
    }

    /// The key for the data folder's private database. None is created for a database that already has one.
    ///
    /// - Throws: ``TokenKeyError/lost(database:dataFolder:)`` if the data folder was deleted, and its
    ///   database was elsewhere.
    public static func load(
        dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment,
        ofPrivate connection: PostgresConnection
    ) throws -> TokenKey {
        if try find(dataFolder: dataFolder, environment: environment) == nil,
            try TokenVault.isClaimed(connection)
        {
            let place = try connection.query(.Administration.dataDirectory).single()
                .get("data_directory", as: String.self)
            throw TokenKeyError.lost(database: place, dataFolder: dataFolder.path)
        }
        return try load(dataFolder: dataFolder, environment: environment)
    }

    /// The key for a caller that only reads what a server sealed: `nil` if there is none; none is created.
    public static func find(
        dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> TokenKey? {
        if let text = environment[environmentVariable] { return try TokenKey(base64: text) }
        let file = dataFolder.appendingPathComponent(fileName)
        return try (try? String(contentsOf: file, encoding: .utf8)).map { try TokenKey(base64: $0) }
    }

    /// The key as text, for a backup that is itself sealed.
    public var base64: String { bytes.withUnsafeBytes { Data($0) }.base64EncodedString() }

    /// Writes the key to the data folder, unless it is already there.
    ///
    /// - Throws: ``TokenKeyError/otherKeyInPlace(_:)`` if another key is there, or in the environment.
    public func keep(
        in dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let counting =
            try Self.find(dataFolder: dataFolder, environment: environment)
            ?? stored(in: dataFolder.appendingPathComponent(Self.fileName))
        guard counting.bytes == bytes else { throw TokenKeyError.otherKeyInPlace(dataFolder.path) }
    }

    /// Reads the key from a file with its base64 text.
    public static func read(_ file: URL) throws -> TokenKey {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TokenKeyError.cannotRead(file.path)
        }
        return try TokenKey(base64: text)
    }

    /// Replaces the key in the data folder, if there is one, and keeps the previous key in `token.key.old`.
    ///
    /// - Returns: false if the folder has no key; then the environment determines the key.
    public func replaceStored(in dataFolder: URL) throws -> Bool {
        let file = dataFolder.appendingPathComponent(Self.fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        let draft = try writeDraft(of: file)
        defer { try? FileManager.default.removeItem(at: draft) }
        let old = file.appendingPathExtension("old")
        try? FileManager.default.removeItem(at: old)
        guard link(file.path, old.path) == 0, rename(draft.path, file.path) == 0 else {
            throw TokenKeyError.cannotWrite(file.path)
        }
        return true
    }

    /// Writes the key to a new file; if another process created it first, returns that process's key.
    private func stored(in file: URL) throws -> TokenKey {
        let draft = try writeDraft(of: file)
        defer { try? FileManager.default.removeItem(at: draft) }
        // A hard link fails if the name is taken, so two servers that start at once agree on one key.
        guard link(draft.path, file.path) == 0 else {
            return try TokenKey(base64: String(contentsOf: file, encoding: .utf8))
        }
        return self
    }

    private func writeDraft(of file: URL) throws -> URL {
        let draft = SecretFile.draft(of: file)
        do {
            try SecretFile.create(draft, contents: Data("\(base64)\n".utf8))
        } catch {
            throw TokenKeyError.cannotWrite(file.path)
        }
        return draft
    }
}

public enum TokenKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed
    case cannotWrite(String)
    case cannotRead(String)
    case otherKeyInPlace(String)
    case beingResealed
    /// Tokens cannot be moved to the key that they are sealed with.
    case sameKey
    /// Another move was begun and must be finished first.
    case otherKeys
    case lost(database: String, dataFolder: String)
    case notTheKeyOfThisDatabase

    public var description: String {
        switch self {
        case .malformed:
            "the token key must be 32 bytes in base64; generate one with: openssl rand -base64 32"
        case .cannotWrite(let path):
            "the token key could not be written to \(path); set LANDFALL_DATA to a writable folder, or "
                + "\(TokenKey.environmentVariable) to the key itself"
        case .cannotRead(let path): "there is no readable token key in \(path)"
        case .otherKeyInPlace(let folder):
            "\(TokenKey.environmentVariable) or token.key in \(folder) is not the key of the backup: unset "
                + "the variable or move the file away, and restore again"
        case .beingResealed:
            "the device tokens of this database are being moved to another token key: let landfall tokens "
                + "reseal finish, or run it again, and start with the new key"
        case .sameKey:
            "the new token key is the one already in use: generate another with openssl rand -base64 32"
        case .otherKeys:
            "a move between two other token keys has not been completed: run it again with those two, and then this one"
        case .lost(let database, let dataFolder):
            "the private database in \(database) belongs to an earlier \(dataFolder), which was deleted, and its "
                + "token key (token.key) with it. Put token.key back there, or set \(TokenKey.environmentVariable); or, "
                + "to begin with an empty database, delete \(database)"
        case .notTheKeyOfThisDatabase:
            "this is not the token key of this database: its device tokens were sealed with another one. Set "
                + "\(TokenKey.environmentVariable), or copy token.key from the server that was started first"
        }
    }
}
