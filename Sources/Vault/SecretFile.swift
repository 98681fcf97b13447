public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Files that only their owner may read from the first byte on: their mode is set at creation, not afterward.
public enum SecretFile {
    /// Creates a file (mode 0600, or less if the umask removes more). If we are root, it belongs to the owner
    /// of its folder: the server whose folder it is must be able to read it.
    ///
    /// - Throws: ``SecretFileError`` if the name is taken, even by a symbolic link, or writing fails.
    public static func create(_ file: URL, contents: Data) throws(SecretFileError) {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SecretFileError(path: file.path, errno: errno) }
        do throws(SecretFileError) {
            var isOpen = true
            defer { if isOpen { close(descriptor) } }
            try give(descriptor, file)
            try write(contents, to: descriptor, file)
            isOpen = false
            guard close(descriptor) == 0 else { throw SecretFileError(path: file.path, errno: errno) }
        } catch {
            unlink(file.path)
            throw error
        }
    }

    private static func give(_ descriptor: Int32, _ file: URL) throws(SecretFileError) {
        var folder = stat()
        guard geteuid() == 0, stat(file.deletingLastPathComponent().path, &folder) == 0, folder.st_uid != 0
        else { return }
        guard fchown(descriptor, folder.st_uid, folder.st_gid) == 0 else {
            throw SecretFileError(path: file.path, errno: errno)
        }
    }

    /// Creates a file, or replaces the one of that name.
    public static func replace(_ file: URL, contents: Data) throws(SecretFileError) {
        let draft = draft(of: file)
        try create(draft, contents: contents)
        guard rename(draft.path, file.path) == 0 else {
            let error = SecretFileError(path: file.path, errno: errno)
            unlink(draft.path)
            throw error
        }
    }

    /// A new name next to a file.
    static func draft(of file: URL) -> URL { file.appendingPathExtension("\(UUID().uuidString).draft") }

    private static func write(_ contents: Data, to descriptor: Int32, _ file: URL) throws(SecretFileError) {
        var rest = contents[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SecretFileError(path: file.path, errno: errno)
            }
        }
    }
}

public struct SecretFileError: Error, Equatable, Sendable, CustomStringConvertible {
    public let path: String
    public let errno: Int32

    public var description: String { "\(path) cannot be written: \(String(cString: strerror(errno)))" }
}
