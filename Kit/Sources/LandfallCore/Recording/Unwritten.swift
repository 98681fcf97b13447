/// Events that the disk did not accept. They are kept in memory until it does, or until the server has them.
package final class Unwritten: Sendable {
    private let kept = Locked<[Spool.Event]>([])
    private static let most = 100

    package init() {}

    var events: [Spool.Event] { kept.use { $0 } }

    /// - Returns: the number of events that are dropped for it.
    func keep(_ event: Spool.Event) -> Int {
        kept.use { kept in
            guard !kept.contains(where: { $0.file.ending == event.file.ending }) else { return 0 }
            let isFull = kept.count >= Self.most
            if isFull { kept.removeFirst() }
            kept.append(event)
            return isFull ? 1 : 0
        }
    }

    func remove(_ file: Spool.File) {
        kept.use { kept in kept.removeAll { $0.file.name == file.name } }
    }

    func removeAll() {
        kept.use { $0 = [] }
    }

    /// Writes them to the spool, if the disk accepts them by now.
    func write(to spool: Spool) {
        for event in events {
            guard (try? spool.write(event)) != nil else { return }
            remove(event.file)
        }
    }
}
