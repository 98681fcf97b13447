public import Foundation

/// Small values that survive the app's removal, and that only this app can read: the keychain on Apple's
/// systems.
public protocol SecretStore: Sendable {
    /// - Returns: `nil` if there certainly is no such value.
    /// - Throws: ``SecretsUnavailable`` if that is not known now, as before the first unlock after a restart.
    func read(_ name: String) throws(SecretsUnavailable) -> Data?
    /// - Returns: `false` if another process has added one meanwhile.
    func add(_ value: Data, as name: String) throws(SecretsUnavailable) -> Bool
    func remove(_ name: String) throws(SecretsUnavailable)
}

public struct SecretsUnavailable: Error {
    /// `OSStatus` or `errno`.
    public let code: Int32

    public init(code: Int32) {
        self.code = code
    }
}

/// Values in files, for systems without a keychain and for tests.
public struct SecretFiles: SecretStore {
    private let folder: URL

    public init(folder: URL) {
        self.folder = folder
    }

    public func read(_ name: String) throws(SecretsUnavailable) -> Data? {
        do {
            return try Data(contentsOf: place(name))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw SecretsUnavailable(code: EACCES)
        }
    }

    public func add(_ value: Data, as name: String) throws(SecretsUnavailable) -> Bool {
        let partial = folder.appendingPathComponent(UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try value.write(to: partial)
        } catch {
            throw SecretsUnavailable(code: EIO)
        }
        defer { unlink(partial.path) }
        // Fails if the name exists.
        if link(partial.path, place(name).path) == 0 { return true }
        guard errno == EEXIST else { throw SecretsUnavailable(code: errno) }
        return false
    }

    public func remove(_ name: String) throws(SecretsUnavailable) {
        guard unlink(place(name).path) == 0 || errno == ENOENT else { throw SecretsUnavailable(code: errno) }
    }

    private func place(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
