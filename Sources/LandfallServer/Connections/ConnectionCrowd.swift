internal import NIOCore

/// Connections that share a number of places, and the order in which they give way.
struct ConnectionCrowd<Connection: PlacedConnection> {
    /// The longest waiting connections are searched for together, because a search visits all.
    private static var searched: Int { 64 }

    private let limit: Int
    private var members: [ObjectIdentifier: Connection] = [:]
    /// Those that were asked to give way and are still open.
    private var leaving: Set<ObjectIdentifier> = []
    /// Those that had waited longest at the last search, the longest last. A connection that is not among them either waited for a
    /// shorter time or began to wait after it.
    private var longestWaiting: [(since: NIODeadline, connection: Connection)] = []

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { members.count }

    /// Whether there are more connections than places.
    var isOverfull: Bool { members.count - leaving.count > limit }

    mutating func add(_ connection: Connection) {
        members[ObjectIdentifier(connection)] = connection
    }

    mutating func remove(_ connection: Connection) {
        let id = ObjectIdentifier(connection)
        members[id] = nil
        leaving.remove(id)
    }

    mutating func leaves(_ connection: Connection) {
        let id = ObjectIdentifier(connection)
        if members[id] != nil { leaving.insert(id) }
    }

    mutating func stays(_ connection: Connection) {
        leaving.remove(ObjectIdentifier(connection))
    }

    /// The connection that gives way, which from now on counts as leaving; `nil` if there are enough places, or if none waits and
    /// none has been held up since before this deadline.
    mutating func takeLongestWaiting(
        except newcomer: Connection?, heldUpBefore deadline: NIODeadline
    ) -> Connection? {
        guard isOverfull else { return nil }
        if let found = nextWaiting(except: newcomer) { return found }
        search(except: newcomer)
        return nextWaiting(except: newcomer) ?? takeLongestHeldUp(except: newcomer, before: deadline)
    }

    private mutating func takeLongestHeldUp(
        except newcomer: Connection?, before deadline: NIODeadline
    ) -> Connection? {
        let heldUp = members.compactMap { id, connection -> (since: NIODeadline, id: ObjectIdentifier)? in
            guard connection !== newcomer, !leaving.contains(id), let since = connection.heldUpSince,
                since < deadline
            else { return nil }
            return (since, id)
        }
        guard let id = heldUp.min(by: { $0.since < $1.since })?.id else { return nil }
        leaving.insert(id)
        return members[id]
    }

    private mutating func nextWaiting(except newcomer: Connection?) -> Connection? {
        while let (since, connection) = longestWaiting.popLast() {
            let id = ObjectIdentifier(connection)
            // If it was used since the search, others have waited longer.
            guard members[id] === connection, !leaving.contains(id), connection.waitingSince == since,
                connection !== newcomer
            else { continue }
            leaving.insert(id)
            return connection
        }
        return nil
    }

    private mutating func search(except newcomer: Connection?) {
        let waiting: [(since: NIODeadline, connection: Connection)] = members.compactMap { id, connection in
            guard connection !== newcomer, !leaving.contains(id), let since = connection.waitingSince else {
                return nil
            }
            return (since, connection)
        }
        longestWaiting = waiting.sorted { $0.since > $1.since }.suffix(Self.searched)
    }
}
