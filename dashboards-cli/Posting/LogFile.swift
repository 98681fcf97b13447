internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An open file that is read line by line from a place in it.
final class LogFile {
    /// The most lines, and about the most bytes, that one call reads.
    static let mostLines = 500
    static let mostBytes = 256 << 10
    private static let pieceBytes = 64 << 10

    let path: String
    let inode: UInt64
    private let descriptor: Int32
    private var cutter = LineCutter()
    private var head = ""
    /// When the file was changed last before the last lines were read.
    private var changed = 0

    /// Opens the file at its beginning.
    ///
    /// - Throws: ``CommandProblem`` if it cannot be read.
    init(_ path: String) throws(CommandProblem) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.problem(path, errno) }
        inode = FileFacts(of: descriptor).inode
    }

    deinit { close(descriptor) }

    /// The place after the lines that were read.
    var place: LogPlace {
        LogPlace(inode: inode, offset: cutter.offset, line: cutter.line, head: head, changed: changed)
    }

    /// Continues after this place; returns false if it is not in this file.
    func resume(from place: LogPlace) throws(CommandProblem) -> Bool {
        guard try contains(place) else { return false }
        (cutter, head, changed) = (LineCutter(after: place), place.head, place.changed)
        return true
    }

    /// Whether the file still begins with what was read, so that it was not truncated or written anew.
    var isSame: Bool {
        get throws(CommandProblem) { try contains(place) }
    }

    private func contains(_ place: LogPlace) throws(CommandProblem) -> Bool {
        guard facts.size >= place.offset else { return false }
        guard place.headBytes > 0 else { return true }
        return LogPlace.checksum(of: try bytes(at: 0, most: place.headBytes)) == place.head
    }

    var facts: FileFacts { FileFacts(of: descriptor) }

    /// Whether there is anything after what was read.
    var hasMore: Bool { facts.size > cutter.end }

    /// The next lines that have an end, at least one, however long it is; none if the file has no further one
    /// now.
    func read() throws(CommandProblem) -> [LogLine] {
        var lines: [LogLine] = []
        var taken = 0
        let changed = facts.changed
        while lines.isEmpty || (lines.count < Self.mostLines && taken < Self.mostBytes) {
            let piece = try bytes(at: cutter.end, most: Self.pieceBytes)
            guard !piece.isEmpty else { break }
            taken += piece.count
            lines += cutter.cut(piece[...], most: Self.mostLines - lines.count)
        }
        self.changed = changed
        if !lines.isEmpty { try markHead() }
        return lines
    }

    /// The last line, which has no line break; `nil` if there is none. It stays until ``takeRest()``.
    var rest: LogLine? {
        var cutter = cutter
        return cutter.takeRest()
    }

    func takeRest() throws(CommandProblem) {
        _ = cutter.takeRest()
        try markHead()
    }

    /// The first line that is not blank, which may be a header; `nil` if it was not read.
    func header() throws(CommandProblem) -> LogLine? {
        var cutter = LineCutter()
        let lines = cutter.cut(try bytes(at: 0, most: LineCutter.mostLineBytes)[...], most: place.line)
        return lines.first { !$0.isBlank }
    }

    private func markHead() throws(CommandProblem) {
        head = LogPlace.checksum(of: try bytes(at: 0, most: place.headBytes))
    }

    private func bytes(at offset: Int64, most: Int) throws(CommandProblem) -> [UInt8] {
        guard most > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            let read = pread(descriptor, buffer.baseAddress, most, off_t(offset))
            if read < 0 { failure = errno }
            count = max(0, read)
        }
        guard failure == 0 || failure == EINTR else { throw Self.problem(path, failure) }
        return bytes
    }

    private static func problem(_ path: String, _ code: Int32) -> CommandProblem {
        CommandProblem("\(path) cannot be read: \(String(cString: strerror(code)))")
    }
}
