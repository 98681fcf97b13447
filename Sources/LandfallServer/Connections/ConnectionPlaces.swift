internal import NIOCore

/// A connection as ``ConnectionPlaces`` sees it.
protocol PlacedConnection: AnyObject {
    /// The client's address; `nil` if its connections are not counted.
    var address: IPAddress? { get }
    /// The time since which it waits for a request; `nil` while one is in progress.
    var waitingSince: NIODeadline? { get }
    /// The time since which a request in progress waits for its client: for the rest of its body, or until
    /// the client reads its response; `nil` while none does.
    var heldUpSince: NIODeadline? { get }
}

/// Which connections get a place, and which one gives way: this type decides, ``ConnectionGate`` acts.
///
/// Once all places are taken, each further connection takes the place of the one that has waited for a
/// request for the longest time. The same holds among the connections of one network, which has a share of
/// the places, and of one IPv6 site, which has the shares of four networks. While none waits, a connection
/// gives way whose client has stalled its request for longer than ``patience``, the longest first. A request
/// that the server is processing is never cut.
struct ConnectionPlaces<Connection: PlacedConnection> {
    private static var networksPerSite: Int { 4 }

    /// Connections that share a number of places.
    private struct Neighborhood: Hashable {
        /// A network or a site.
        let address: IPAddress
        let limit: Int
    }

    private let perNetwork: Int
    /// How long a client may stall its request while others need the place.
    let patience: TimeAmount
    private var all: ConnectionCrowd<Connection>
    private var crowds: [Neighborhood: ConnectionCrowd<Connection>] = [:]

    init(limit: Int, perNetwork: Int, patience: TimeAmount) {
        self.perNetwork = perNetwork
        self.patience = patience
        all = ConnectionCrowd(limit: limit)
    }

    var count: Int { all.count }

    /// Whether more connections are open than there are places.
    var isOverfull: Bool { all.isOverfull }

    enum Admission {
        /// The other connection, if any, has to close.
        case admitted(givingWay: Connection?)
        /// The share of its network or site is taken by requests in progress.
        case rejected
    }

    mutating func open(_ connection: Connection, at now: NIODeadline) -> Admission {
        let neighborhoods = neighborhoods(of: connection)
        for neighborhood in neighborhoods {
            crowds[neighborhood, default: ConnectionCrowd(limit: neighborhood.limit)].add(connection)
        }
        var leaver: Connection?
        for neighborhood in neighborhoods where leaver == nil && crowds[neighborhood]?.isOverfull == true {
            leaver = takeLongestWaiting(in: neighborhood, except: connection, at: now)
            guard leaver != nil else {
                changeCrowds(of: connection) { $0.remove(connection) }
                return .rejected
            }
        }
        all.add(connection)
        return .admitted(givingWay: leaver ?? nextToGiveWay(to: connection, at: now))
    }

    mutating func close(_ connection: Connection) {
        all.remove(connection)
        changeCrowds(of: connection) { $0.remove(connection) }
    }

    /// The connection that has to close because others need its place; `nil` if there are enough places, or
    /// if no connection waits for a request or has been held up for too long.
    ///
    /// - Parameter newcomer: the connection that needs a place.
    mutating func nextToGiveWay(to newcomer: Connection? = nil, at now: NIODeadline) -> Connection? {
        guard let connection = all.takeLongestWaiting(except: newcomer, heldUpBefore: now - patience) else {
            return nil
        }
        changeCrowds(of: connection) { $0.leaves(connection) }
        return connection
    }

    /// A request arrived at a connection before it could give way.
    ///
    /// - Returns: the connection that gives way instead, if one waits.
    mutating func stays(_ connection: Connection, at now: NIODeadline) -> Connection? {
        all.stays(connection)
        changeCrowds(of: connection) { $0.stays(connection) }
        for neighborhood in neighborhoods(of: connection) {
            if let leaver = takeLongestWaiting(in: neighborhood, except: nil, at: now) { return leaver }
        }
        return nextToGiveWay(at: now)
    }

    /// The connection that gives way in a crowd that is overfull. From now on it counts as leaving
    /// everywhere. One is enough for a network and its site.
    private mutating func takeLongestWaiting(
        in neighborhood: Neighborhood, except newcomer: Connection?, at now: NIODeadline
    ) -> Connection? {
        let crowd = crowds[neighborhood]?.takeLongestWaiting(except: newcomer, heldUpBefore: now - patience)
        guard let leaver = crowd else { return nil }
        all.leaves(leaver)
        changeCrowds(of: leaver) { $0.leaves(leaver) }
        return leaver
    }

    private func neighborhoods(of connection: Connection) -> [Neighborhood] {
        guard let address = connection.address else { return [] }
        let site = address.site.map {
            Neighborhood(address: $0, limit: perNetwork * Self.networksPerSite)
        }
        return [Neighborhood(address: address.network, limit: perNetwork)] + (site.map { [$0] } ?? [])
    }

    private mutating func changeCrowds(
        of connection: Connection, _ body: (inout ConnectionCrowd<Connection>) -> Void
    ) {
        for neighborhood in neighborhoods(of: connection) {
            guard var crowd = crowds.removeValue(forKey: neighborhood) else { continue }
            body(&crowd)
            if crowd.count > 0 { crowds[neighborhood] = crowd }
        }
    }
}

/// Connections that share a number of places, and the order in which they give way.
struct ConnectionCrowd<Connection: PlacedConnection> {
    /// The longest waiting connections are searched for together, because a search visits all.
    private static var searched: Int { 64 }

    private let limit: Int
    private var members: [ObjectIdentifier: Connection] = [:]
    /// Those that were asked to give way and are still open.
    private var leaving: Set<ObjectIdentifier> = []
    /// Those that had waited longest at the last search, the longest last. A connection that is not among
    /// them either waited for a shorter time or began to wait after it.
    private var longestWaiting: [(since: NIODeadline, connection: Connection)] = []

    init(limit: Int) { self.limit = limit }

    var count: Int { members.count }

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

    mutating func stays(_ connection: Connection) { leaving.remove(ObjectIdentifier(connection)) }

    /// The connection that gives way, which from now on counts as leaving; `nil` if there are enough places,
    /// or if none waits and none has been held up since before this deadline.
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
