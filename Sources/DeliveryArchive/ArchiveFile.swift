internal import Crypto
internal import Foundation

/// A file that is written once, and counted and hashed meanwhile. Only its owner may read it.
struct ArchiveFile {
    private let handle: FileHandle
    private var hash = SHA256()
    private var bytes: Int64 = 0

    init(at url: URL) throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ArchiveError.notWritten(path: url.path, reason: String(cString: strerror(errno)))
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    mutating func write(_ new: [UInt8]) throws {
        hash.update(data: new)
        bytes += Int64(new.count)
        try handle.write(contentsOf: new)
    }

    /// When this returns, the file is on disk.
    mutating func finish() throws -> (bytes: Int64, sha256: String) {
        try handle.synchronize()
        try handle.close()
        return (bytes, hash.finalize().hexadecimal)
    }

    /// The digest of a file as it is read back.
    static func digest(of url: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: url)
        var hash = SHA256()
        while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty { hash.update(data: bytes) }
        return hash.finalize().hexadecimal
    }

    /// Makes the names in a folder durable. Some file systems cannot; the files themselves are on disk then.
    static func synchronize(folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension SHA256Digest {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The content of `_manifest.json`, which describes the file next to it.
struct ArchiveManifest: Codable {
    struct Column: Codable {
        let name: String
        let type: String
    }

    /// The numbers of one app in the file: those of the reports of that day.
    struct App: Codable, Equatable {
        let app: String
        var notifications: Int64 = 0
        /// The sum of each measure, by its name in the reports; none if it is 0.
        var sums: [String: Int64] = [:]
    }

    /// When the schema of its database was created: a folder must not contain days of two databases.
    let database: String
    /// The number of its cell; `nil` if there is only one.
    let cell: Int?
    /// The UTC day, `2026-03-01`.
    let day: String
    let file: String
    let rows: Int64
    let bytes: Int64
    /// In hexadecimal digits.
    let sha256: String
    let columns: [Column]
    let apps: [App]

    static let name = "_manifest.json"

    func write(in folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        var file = try ArchiveFile(at: folder.appendingPathComponent(Self.name))
        try file.write(Array(encoder.encode(self)) + [UInt8(ascii: "\n")])
        _ = try file.finish()
    }
}

public enum ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    case noMemory
    case notWritten(path: String, reason: String)
    /// The folder of a day is not an archive of this database.
    case notOurs(path: String)
    /// The file on disk is not what was written.
    case damaged(path: String)
    /// Counters and notifications of a day disagree.
    case countersDiffer(day: String)
    /// Events of younger days may still arrive.
    case tooYoung(days: Int64)
    /// No day is closed while an app is being moved, or its rows are still to be removed.
    case appMoving(appID: Int64)

    public var description: String {
        switch self {
        case .noMemory: "there is not enough memory to pack the archive"
        case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
        case .notOurs(let path):
            "\(path) is not from this database, and was left as it is: use another folder"
        case .damaged(let path): "\(path) is not what was written: check the disk, then repeat the command"
        case .countersDiffer(let day):
            "the counters of \(day) differ from its notifications, so it was not archived: landfall verify"
        case .tooYoung(let days):
            "events of the last \(days) days may still come, and would be rejected: with --drop, --before must "
                + "be at least \(days) days ago"
        case .appMoving(let appID):
            "app \(appID) is being moved, or has left rows here: finish that first (landfall app move), because "
                + "no day can be dropped meanwhile"
        }
    }
}
