import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The log file of the server.
struct ServerLog: Sendable {
    private static let largestSize: UInt64 = 16 << 20
    private static let quotedSize: UInt64 = 8 << 10
    private static let quotedLines = 15

    let path: String

    /// In bytes; 0 if there is no log.
    var size: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    /// Moves a large log aside, replacing the one moved before; the server opens a new one when it starts.
    func rotateWhenLarge() {
        guard size > Self.largestSize else { return }
        rename(path, path + ".1")
    }

    /// The last lines written since the log had this size.
    func lastLines(since start: UInt64 = 0) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        let end = size
        let from = max(start, end > Self.quotedSize ? end - Self.quotedSize : 0)
        guard (try? file.seek(toOffset: from)) != nil, let bytes = try? file.readToEnd() else { return "" }
        // Continued lines begin with a tab.
        return String(decoding: bytes, as: UTF8.self).replacing("\t", with: "    ")
            .split(separator: "\n").suffix(Self.quotedLines).joined(separator: "\n")
    }
}
