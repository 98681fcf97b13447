internal import Foundation

/// The number of events that were dropped is the size of a file: appending a byte is atomic, however many processes do it.
///
/// It is posted with an event that waits, whose name is then part of the file's. Whichever process posts the event, and however often,
/// the number goes with it, so the server counts both once. If that event is dropped itself, another one takes the number over.
extension Spool {
    private static let counter = "dropped"
    /// The server rejects an event with a greater number.
    private static let mostDropped: Int64 = 1_000_000

    func countDropped(_ count: Int) {
        guard count > 0 else { return }
        let file = open(place(Self.counter).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try? handle.write(contentsOf: Data(repeating: UInt8(ascii: "."), count: count))
    }

    /// Numbers of dropped events, by the name of the event with which they are posted.
    struct Dropped {
        fileprivate var files: [String: [URL]] = [:]

        func count(with event: File) -> Int64 {
            let counts = files[event.name, default: []].map { Int64((try? Data(contentsOf: $0).count) ?? 0) }
            return min(counts.reduce(0, +), Spool.mostDropped)
        }
    }

    /// What is posted with these events. Numbers that belong to no event are from now on the first one's, unless it has one: that one
    /// may have been posted already.
    func dropped(with events: some Collection<File>) -> Dropped {
        let dropped = dropped()
        guard let first = events.first, dropped.files[first.name] == nil else { return dropped }
        let lost = dropped.files.filter { access(waiting.appendingPathComponent($0.key).path, F_OK) != 0 }
        for file in lost.values.joined() + [place(Self.counter)] {
            _ = rename(file.path, place("\(Self.counter)-\(first.name)-\(UUID())").path)
        }
        return self.dropped()
    }

    private func dropped() -> Dropped {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let taken = names.filter { $0.hasPrefix(Self.counter + "-") }
        return Dropped(
            files: Dictionary(grouping: taken) { String($0.dropFirst(Self.counter.count + 1).prefix(35)) }
                .mapValues { $0.map(place) })
    }

    private func place(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The server has recorded the events, and with them the numbers.
    func remove(_ dropped: Dropped, with events: some Sequence<File>) {
        for file in events.flatMap({ dropped.files[$0.name, default: []] }) { unlink(file.path) }
    }
}
