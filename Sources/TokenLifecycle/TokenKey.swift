internal import Crypto
public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The 32 secret bytes under which device tokens are fingerprinted and sealed.
///
/// All servers of one database need the same key, and without it no token can be read again.
public struct TokenKey: Sendable {
    public static let environmentVariable = "LANDFALL_TOKEN_KEY"
    static let fileName = "token.key"

    let bytes: SymmetricKey

    /// Reads the key from its base64 text.
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

    /// The key of the environment, else of the file `token.key` in the data folder, which is made (mode 0600) on first use.
    public static func load(
        dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> TokenKey {
        if let key = try find(dataFolder: dataFolder, environment: environment) { return key }
        return try random().stored(in: dataFolder.appendingPathComponent(fileName))
    }

    /// The same for whoever only reads what a server has sealed: nil where there is no key, and none is made.
    public static func find(
        dataFolder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> TokenKey? {
        if let text = environment[environmentVariable] { return try TokenKey(base64: text) }
        let file = dataFolder.appendingPathComponent(fileName)
        return try (try? String(contentsOf: file, encoding: .utf8)).map { try TokenKey(base64: $0) }
    }

    /// Writes the key to a new file; when another process was faster, its key is the one that counts.
    private func stored(in file: URL) throws -> TokenKey {
        let draft = file.appendingPathExtension("\(UUID().uuidString).draft")
        let text = bytes.withUnsafeBytes { Data($0) }.base64EncodedString() + "\n"
        guard
            FileManager.default.createFile(
                atPath: draft.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw TokenKeyError.cannotWrite(file.path) }
        defer { try? FileManager.default.removeItem(at: draft) }
        // A hard link fails when the name is taken, so that two servers that start at once agree on one key.
        guard link(draft.path, file.path) == 0 else {
            return try TokenKey(base64: String(contentsOf: file, encoding: .utf8))
        }
        return self
    }
}

public enum TokenKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed
    case cannotWrite(String)
    case notTheKeyOfThisDatabase

    public var description: String {
        switch self {
        case .malformed:
            "the token key must be 32 bytes in base64; make one with: openssl rand -base64 32"
        case .cannotWrite(let path):
            "the token key could not be written to \(path); give a folder that can be written to in LANDFALL_DATA, or the "
                + "key itself in \(TokenKey.environmentVariable)"
        case .notTheKeyOfThisDatabase:
            "this is not the token key of this database: its device tokens were stored under another one. Set "
                + "\(TokenKey.environmentVariable), or copy token.key from the server that was started first"
        }
    }
}
