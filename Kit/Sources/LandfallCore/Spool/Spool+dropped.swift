internal import Foundation

/// The number of events that were dropped is the size of a file: appending a byte is atomic, however many processes do it.
extension Spool {
    private static let counter = "dropped"

    func countDropped(_ count: Int) {
        let file = open(
            folder.appendingPathComponent(Self.counter).path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try? handle.write(contentsOf: Data(repeating: UInt8(ascii: "."), count: count))
    }

    /// A number of dropped events that one upload reports.
    struct Dropped {
        fileprivate(set) var count: Int64 = 0
        fileprivate var files: [URL] = []
    }

    /// Takes what was counted, so that no other process reports it. What a process took and did not report, another takes after an
    /// hour.
    func takeDropped(now: Int64) -> Dropped {
        let counter = folder.appendingPathComponent(Self.counter)
        _ = rename(counter.path, folder.appendingPathComponent("\(Self.counter)-\(now)-\(getpid())").path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var dropped = Dropped()
        for name in names where name.hasPrefix(Self.counter + "-") {
            let parts = name.split(separator: "-")
            guard parts.count == 3, let takenAt = Int64(parts[1]),
                parts[2] == "\(getpid())" || abs(now - takenAt) > 3_600_000
            else { continue }
            let file = folder.appendingPathComponent(name)
            dropped.count += Int64((try? Data(contentsOf: file).count) ?? 0)
            dropped.files.append(file)
        }
        return dropped
    }

    /// The server has recorded it.
    func remove(_ dropped: Dropped) {
        for file in dropped.files { try? FileManager.default.removeItem(at: file) }
    }
}
