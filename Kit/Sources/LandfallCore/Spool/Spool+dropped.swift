internal import Foundation

/// The number of events that were dropped is the size of a file: appending a byte is atomic, however many
/// processes do it.
///
/// It is posted with an event that waits, whose name is then part of the file's. Whichever process posts the
/// event, and however often, the number goes with it, so the server counts both once. If that event is
/// dropped itself, another one takes the number over.
extension Spool {
    private static let counter = "dropped"
    /// The server rejects an event with a greater number.
    private static let mostDropped: Int64 = 1_000_000

    func countDropped(_ count: Int) {
        guard count > 0 else { return }
        let file = open(path(Self.counter), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try? handle.write(contentsOf: Data(repeating: UInt8(ascii: "."), count: count))
    }

    /// Numbers of dropped events: files whose names contain that of the event with which they are posted.
    struct Dropped {
        fileprivate let spool: Spool
        fileprivate let names: [String]

        fileprivate init(_ spool: Spool) {
            self.spool = spool
            names = spool.names().filter { $0.hasPrefix(Spool.counter) }
        }

        fileprivate func names(with event: File) -> [String] {
            names.filter { $0.hasPrefix(Spool.counter + "-" + event.name) }
        }

        func count(with event: File) -> Int64 {
            var count: Int64 = 0
            for name in names(with: event) { count += Int64(spool.contents(name)?.count ?? 0) }
            return min(count, Spool.mostDropped)
        }

        /// The server has recorded the event, and with it the numbers.
        func remove(with event: File) {
            for name in names(with: event) { unlink(spool.path(name)) }
        }
    }

    /// What is posted with these events. Numbers that belong to no event are from now on the first one's,
    /// unless it has one: that one may have been posted already.
    func dropped(with events: [Event]) -> Dropped {
        let dropped = Dropped(self)
        guard let first = events.first(where: { isWaiting($0.file) })?.file,
            dropped.names(with: first).isEmpty
        else { return dropped }
        for name in dropped.names
        where name == Self.counter
            || !isWaiting(File(name: String(name.dropFirst(Self.counter.count + 1).prefix(35))))
        {
            _ = rename(path(name), path("\(Self.counter)-\(first.name)-\(UUID())"))
        }
        return Dropped(self)
    }

    private func isWaiting(_ file: File) -> Bool { access(path(file), F_OK) == 0 }

    func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }
}
