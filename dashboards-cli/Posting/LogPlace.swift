internal import Basics
internal import Crypto
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How far a log has been posted. The checksum of its beginning recognizes the file after a rotation, by
/// renaming or by copying, and tells a truncated file from one that has grown.
struct LogPlace: Codable, Equatable, Sendable {
    static let mostHeadBytes = 1_024

    var inode: UInt64
    /// Bytes of the file that are posted: whole lines.
    var offset: Int64 = 0
    /// The number of these lines.
    var line = 0
    /// SHA-256 in hexadecimal of the file's first bytes: of `offset` bytes, at most ``mostHeadBytes``.
    var head = ""
    /// When the file was changed last before these lines were read, in nanoseconds since 1970. If the file is
    /// gone, files that were changed later have further lines.
    var changed = 0

    var headBytes: Int { Int(min(offset, Int64(Self.mostHeadBytes))) }

    static func checksum(of head: [UInt8]) -> String {
        SHA256.hash(data: head).map { String(byte: $0) }.joined()
    }
}

extension String {
    fileprivate init(byte: UInt8) { self = (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}

/// The file that keeps a place, and the lock that lets one program at a time post from a log.
final class PlaceFile: Sendable {
    private let file: URL
    private let lock: Int32

    /// - Throws: ``PlaceTaken`` if another program uses the file, ``CommandProblem`` if it cannot be written.
    init(_ path: String) throws {
        file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw Self.problem(path, error.localizedDescription)
        }
        lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.problem(path, String(cString: strerror(errno))) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw PlaceTaken(path: path)
        }
    }

    deinit { close(lock) }

    /// The default path for what is posted from a log to an app of a server.
    static func standardPath(
        of log: String, _ format: String, to server: String, app: String,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        let configured = environment["XDG_STATE_HOME"] ?? ""
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = configured.hasPrefix("/") ? configured : home + "/.local/state"
        let subject = [URL(fileURLWithPath: log).standardizedFileURL.path, format, server, app]
        let digest = LogPlace.checksum(of: Array(subject.joined(separator: "\n").utf8))
        return "\(folder)/landfall/post/\(digest.prefix(24)).json"
    }

    /// `nil` if nothing has been posted.
    func read() throws -> LogPlace? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(LogPlace.self, from: Data(contentsOf: file))
        } catch {
            throw CommandProblem(
                "\(file.path) cannot be read as a position: remove it to post the log from its beginning, which "
                    + "counts nothing twice")
        }
    }

    /// Replaces the place. It is on disk when this returns.
    func write(_ place: LogPlace) throws {
        let draft = file.appendingPathExtension("draft")
        do {
            try JSONEncoder().encode(place).write(to: draft)
            try Self.synchronize(draft)
            guard rename(draft.path, file.path) == 0 else {
                throw Self.problem(file.path, String(cString: strerror(errno)))
            }
            try Self.synchronize(file.deletingLastPathComponent())
        } catch let problem as CommandProblem {
            throw problem
        } catch {
            throw Self.problem(file.path, error.localizedDescription)
        }
    }

    private static func synchronize(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(url.path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw problem(url.path, String(cString: strerror(errno))) }
    }

    private static func problem(_ path: String, _ reason: String) -> CommandProblem {
        CommandProblem("the position cannot be kept in \(path): \(reason). --position names another file")
    }
}

/// Another program posts from the same log to the same server.
struct PlaceTaken: Error, CustomStringConvertible {
    let path: String

    var description: String { "another landfall post uses \(path)" }
}
