/// A log that grows and is rotated, as `tail -F` follows it: by renaming, or by copying and truncating, once
/// or several times, also while no one follows it. Lines are lost only if the file that has them is gone or
/// compressed before it is found; then `notes` says so.
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
    /// The files that the log was rotated to after the current one, the oldest first. They are open, so it
    /// does not matter if they are renamed, compressed or removed before their turn.
    private var newer: [LogFile] = []
    /// The log was rotated, and what was written to the old file meanwhile is being read.
    private var isLeaving = false
    /// What a person has to know, once each.
    private(set) var notes: [String] = []
    /// The files that notes are about.
    private var noted: Set<UInt64> = []

    /// - Parameter place: where to continue; `nil` for the beginning.
    init(_ path: String, from place: LogPlace?) throws(CommandProblem) {
        self.path = path
        file = try LogFile(path)
        if let place { try find(place) }
    }

    var place: LogPlace { file.place }
    /// Whether nothing will be added to the current file anymore.
    var isPast: Bool { isLeaving || !newer.isEmpty }

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
        openNewer()
        return (try file.read(), isOther)
    }

    /// Goes on to the next file once the current one is read and no one writes to it anymore.
    func turn() throws(CommandProblem) -> Turn {
        if newer.isEmpty {
            guard let log = FileFacts(path), log.inode != file.inode, log.size > 0 else { return .nothing }
        }
        guard isLeaving else {
            isLeaving = true
            return .further
        }
        if file.hasMore { return .further }
        file = newer.isEmpty ? try LogFile(path) : newer.removeFirst()
        isLeaving = false
        return .otherFile
    }

    /// Opens the files that the log was rotated to since the newest one that is known. That one is recognized
    /// by its inode; if it was compressed or removed, what was written later is newer.
    private func openNewer() {
        let newest = newer.last ?? file
        guard FileFacts(path)?.inode != newest.inode else { return }
        let files = RotatedLog.files(of: path)
        let place = files.firstIndex { $0.facts.inode == newest.inode }
        let changed = newest.facts.changed
        for next in place.map({ Array(files[($0 + 1)...]) }) ?? files.filter({ $0.isNewer(than: changed) }) {
            do {
                if next.isCompressed { noteCompressed(next) } else { newer.append(try LogFile(next.path)) }
            } catch {
                note(next, "\(error.description): its lines may be missing.")
            }
        }
    }

    /// Opens the file that contains the place: the log, or one that it was rotated to. Files may be renamed
    /// or copied, so the beginning decides; among several with the same one, the inode.
    private func find(_ place: LogPlace) throws(CommandProblem) {
        let rotated = RotatedLog.files(of: path)
        (newer, isLeaving) = ([], false)
        let files = [path] + rotated.filter { !$0.isCompressed }.map(\.path)
        let sameFirst =
            files.filter { FileFacts($0)?.inode == place.inode }
            + files.filter { FileFacts($0)?.inode != place.inode }
        for name in sameFirst {
            // One that was removed meanwhile has nothing to read.
            guard let candidate = try? LogFile(name), try candidate.resume(from: place) else { continue }
            file = candidate
            return
        }
        let later = rotated.filter { $0.isNewer(than: place.changed) }
        let first = later.first { !$0.isCompressed }?.path ?? path
        notes.append(
            "\(path) was rotated or truncated, and no file next to it has line \(place.line): lines after it may be "
                + "missing. \(first) is read from its beginning.")
        later.filter(\.isCompressed).forEach(noteCompressed)
        file = try LogFile(first)
    }

    private func noteCompressed(_ log: RotatedLog) {
        note(
            log,
            "\(log.path) was compressed before it was read: decompress it and post it by its name, which counts "
                + "nothing twice.")
    }

    private func note(_ log: RotatedLog, _ text: String) {
        if noted.insert(log.facts.inode).inserted { notes.append(text) }
    }
}
