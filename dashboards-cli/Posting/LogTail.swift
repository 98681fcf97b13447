internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A log that grows and is rotated, as `tail -F` follows it: by renaming, or by copying and truncating, also
/// while no one follows it. Lines are lost only if the file that has them is gone or compressed before it is
/// read to its end; then `notes` says so.
final class LogTail {
    enum Turn: Equatable {
        /// There may be further lines now.
        case further
        /// Another file is read from its beginning, so its first line may be a header.
        case otherFile
        case nothing
    }

    let path: String
    private(set) var file: LogFile
    /// Older files to be read before the log itself, the oldest first.
    private var older: [String] = []
    /// The log was rotated, and what was written to the old file meanwhile is being read.
    private var isLeaving = false
    /// What a person has to know, once each.
    private(set) var notes: [String] = []

    /// - Parameter place: where to continue; `nil` for the beginning.
    init(_ path: String, from place: LogPlace?) throws(CommandProblem) {
        self.path = path
        file = try LogFile(path)
        if let place { try find(place) }
    }

    var place: LogPlace { file.place }
    /// Whether nothing will be added to the current file anymore.
    var isPast: Bool { isLeaving || !older.isEmpty }

    func takeNotes() -> [String] {
        defer { notes = [] }
        return notes
    }

    /// The next whole lines. If the log was truncated, the file with the rest of it is searched first.
    func read() throws(CommandProblem) -> (lines: [LogLine], isOtherFile: Bool) {
        var isOther = false
        if try !file.isSame {
            try find(file.place)
            isOther = true
        }
        return (try file.read(), isOther)
    }

    /// Goes on to the next file once the current one is read and no one writes to it anymore.
    func turn() throws(CommandProblem) -> Turn {
        let next = older.first ?? path
        if !older.isEmpty, facts(of: next) == nil {
            notes.append("\(older.removeFirst()) was removed before it was read: its lines may be missing.")
            return .further
        }
        guard let facts = facts(of: next), facts.inode != file.inode, facts.size > 0 || !older.isEmpty else {
            return .nothing
        }
        guard isLeaving else {
            isLeaving = true
            return .further
        }
        if file.hasMore { return .further }
        file = try LogFile(next)
        isLeaving = false
        if !older.isEmpty { older.removeFirst() }
        return .otherFile
    }

    /// Opens the file that contains the place: the log, or one that it was rotated to. Files may be renamed
    /// or copied, so the beginning decides; among several with the same one, the inode.
    private func find(_ place: LogPlace) throws(CommandProblem) {
        let rotated = rotatedFiles()
        (file, isLeaving, older) = (try LogFile(path), false, [])
        let files = [path] + rotated
        let sameFirst =
            files.filter { facts(of: $0)?.inode == place.inode }
            + files.filter { facts(of: $0)?.inode != place.inode }
        for name in sameFirst {
            // One that was removed meanwhile has nothing to read.
            guard let candidate = try? LogFile(name), try candidate.resume(from: place) else { continue }
            file = candidate
            older = rotated.firstIndex(of: name).map { Array(rotated[($0 + 1)...]) } ?? []
            return
        }
        notes.append(
            "\(path) was rotated or truncated, and no file next to it has line \(place.line): lines after it may be "
                + "missing. The log is read from its beginning.")
    }

    /// Files that are named like the log with a number or date after it (`access.log.1`,
    /// `access.log-20261127`), the oldest first.
    private func rotatedFiles() -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let files = names.compactMap { name -> (path: String, changed: Int)? in
            guard name.hasPrefix(url.lastPathComponent),
                name.dropFirst(url.lastPathComponent.count).wholeMatch(of: #/[.\-_][0-9][0-9.\-_:T]*/#) != nil
            else { return nil }
            let path = folder.appendingPathComponent(name).path
            return facts(of: path).map { (path, $0.changed) }
        }
        return files.sorted { ($0.changed, $1.path) < ($1.changed, $0.path) }.map(\.path)
    }

    /// `nil` if there is no such file.
    private func facts(of path: String) -> (inode: UInt64, size: Int64, changed: Int)? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Glibc)
            let changed = facts.st_mtim
        #else
            let changed = facts.st_mtimespec
        #endif
        let nanoseconds = Int(changed.tv_sec) * 1_000_000_000 + Int(changed.tv_nsec)
        return (UInt64(facts.st_ino), Int64(facts.st_size), nanoseconds)
    }
}
