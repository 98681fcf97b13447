internal import NIOCore

/// A connection as ``ConnectionPlaces`` sees it.
protocol PlacedConnection: AnyObject {
    /// The client's network; `nil` if its connections are not counted.
    var network: IPAddress? { get }
    /// The time since which it waits for a request; `nil` while one is in progress.
    var waitingSince: NIODeadline? { get }
}

/// Which connections get a place, and which one gives way: this type decides, ``ConnectionGate`` acts.
///
/// Once all places are taken, each further connection takes the place of the one that has waited for a request for the longest time.
/// The same holds among the connections of one network, which has a share of the places. A request in progress never gives way.
struct ConnectionPlaces<Connection: PlacedConnection> {
    private let perNetwork: Int
    private var all: ConnectionCrowd<Connection>
    private var networks: [IPAddress: ConnectionCrowd<Connection>] = [:]

    init(limit: Int, perNetwork: Int) {
        self.perNetwork = perNetwork
        all = ConnectionCrowd(limit: limit)
    }

    var count: Int { all.count }

    /// Whether more connections are open than there are places.
    var isOverfull: Bool { all.isOverfull }

    enum Admission {
        /// The other connection, if any, has to close.
        case admitted(givingWay: Connection?)
        /// The network's share is taken by requests in progress.
        case rejected
    }

    mutating func open(_ connection: Connection) -> Admission {
        var leaver: Connection?
        if let network = connection.network {
            var crowd = networks[network] ?? ConnectionCrowd(limit: perNetwork)
            crowd.add(connection)
            leaver = crowd.takeLongestWaiting(except: connection)
            guard leaver != nil || !crowd.isOverfull else { return .rejected }
            networks[network] = crowd
            if let leaver { all.leaves(leaver) }
        }
        all.add(connection)
        return .admitted(givingWay: leaver ?? nextToGiveWay(to: connection))
    }

    mutating func close(_ connection: Connection) {
        all.remove(connection)
        change(connection.network) { $0.remove(connection) }
    }

    /// The connection that has to close because others need its place; `nil` if there are enough places, or if no connection waits
    /// for a request.
    ///
    /// - Parameter newcomer: the connection that needs a place.
    mutating func nextToGiveWay(to newcomer: Connection? = nil) -> Connection? {
        guard let connection = all.takeLongestWaiting(except: newcomer) else { return nil }
        change(connection.network) { $0.leaves(connection) }
        return connection
    }

    /// A request arrived at a connection before it could give way.
    ///
    /// - Returns: the connection that gives way instead, if one waits.
    mutating func stays(_ connection: Connection) -> Connection? {
        var leaver: Connection?
        all.stays(connection)
        change(connection.network) { crowd in
            crowd.stays(connection)
            leaver = crowd.takeLongestWaiting(except: nil)
        }
        guard let leaver else { return nextToGiveWay() }
        all.leaves(leaver)
        return leaver
    }

    private mutating func change(
        _ network: IPAddress?, _ body: (inout ConnectionCrowd<Connection>) -> Void
    ) {
        guard let network, var crowd = networks.removeValue(forKey: network) else { return }
        body(&crowd)
        if crowd.count > 0 { networks[network] = crowd }
    }
}
