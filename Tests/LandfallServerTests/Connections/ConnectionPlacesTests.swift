import NIOCore
import Testing

@testable import LandfallServer

@Suite struct ConnectionPlacesTests {
    private final class Connection: PlacedConnection {
        let address: IPAddress?
        var waitingSince: NIODeadline?
        var heldUpSince: NIODeadline?

        /// - Parameter host: the last part of an IPv4 address.
        convenience init(_ host: Int? = nil, since seconds: UInt64?) {
            self.init(at: host.flatMap { IPAddress("192.0.2.\($0)") }, since: seconds)
        }

        init(at address: IPAddress?, since seconds: UInt64?) {
            self.address = address
            waitingSince = seconds.map(Self.instant)
        }

        static func instant(_ seconds: UInt64) -> NIODeadline {
            .uptimeNanoseconds(seconds * 1_000_000_000)
        }

        func waits(since seconds: UInt64) { waitingSince = Self.instant(seconds) }
        func isHeldUp(since seconds: UInt64) -> Connection {
            heldUpSince = Self.instant(seconds)
            return self
        }
    }

    /// A listener with places.
    private final class Listener {
        private var places: ConnectionPlaces<Connection>
        /// The connection that gives way to the one opened last.
        private(set) var leaver: Connection?
        var now: UInt64 = 100

        init(limit: Int, perNetwork: Int) {
            places = ConnectionPlaces(limit: limit, perNetwork: perNetwork, patience: .seconds(3))
        }

        var count: Int { places.count }
        var isOverfull: Bool { places.isOverfull }

        /// Returns whether the connection got a place.
        func open(_ connection: Connection) -> Bool {
            guard case .admitted(let leaver) = places.open(connection, at: Connection.instant(now)) else {
                return false
            }
            self.leaver = leaver
            return true
        }

        func close(_ connection: Connection) { places.close(connection) }
        func stays(_ connection: Connection) -> Connection? {
            places.stays(connection, at: Connection.instant(now))
        }
        func nextToGiveWay(to newcomer: Connection? = nil) -> Connection? {
            places.nextToGiveWay(to: newcomer, at: Connection.instant(now))
        }
    }

    @Test("in its share, an address makes its own longest waiting connection give way, and no other's")
    func addresses() {
        let places = Listener(limit: 10, perNetwork: 2)
        let (other, first, second) = (
            Connection(2, since: 0), Connection(1, since: 1), Connection(1, since: 2)
        )
        for connection in [other, first, second] {
            #expect(places.open(connection))
            #expect(places.leaver == nil)
        }
        #expect(places.open(Connection(1, since: 3)))
        #expect(places.leaver === first)
        places.close(first)
        #expect(places.open(Connection(1, since: 4)))
        #expect(places.leaver === second)
    }

    @Test("the networks of an IPv6 site have four shares together")
    func sites() {
        let places = Listener(limit: 100, perNetwork: 2)
        func connection(_ network: Int, since seconds: UInt64?) -> Connection {
            Connection(at: IPAddress("2001:db8:1:\(network)::1"), since: seconds)
        }
        let first = connection(0, since: 1)
        #expect(places.open(first))
        for network in 1...7 { #expect(places.open(connection(network, since: nil))) }
        #expect(places.leaver == nil)
        #expect(places.open(connection(8, since: nil)))
        #expect(places.leaver === first)
        places.close(first)
        #expect(!places.open(connection(9, since: nil)))
        #expect(places.open(Connection(at: IPAddress("2001:db8:2::1"), since: nil)))
        #expect(places.count == 9)
    }

    @Test("while all connections of an address are busy, a further one gets no place")
    func busyAddress() {
        let places = Listener(limit: 10, perNetwork: 2)
        let (first, second) = (Connection(1, since: nil), Connection(1, since: nil))
        #expect(places.open(first) && places.open(second))
        let third = Connection(1, since: 3)
        #expect(!places.open(third))
        // One that got no place frees none.
        places.close(third)
        #expect(!places.open(Connection(1, since: 4)))
        #expect(places.open(Connection(2, since: 4)))
        places.close(first)
        #expect(places.open(Connection(1, since: nil)))
        second.waits(since: 5)
        #expect(places.open(Connection(1, since: 6)))
        #expect(places.leaver === second)
        // A request arrives before it leaves.
        second.waitingSince = nil
        #expect(places.stays(second) != nil)
        #expect(places.count == 4)
    }

    @Test("connections without an address of their own are not counted by address")
    func proxies() {
        let places = Listener(limit: 10, perNetwork: 1)
        for second in 1...5 { #expect(places.open(Connection(since: UInt64(second)))) }
        #expect(places.count == 5)
    }

    @Test("while there are places, no connection gives way")
    func room() {
        let places = Listener(limit: 2, perNetwork: 9)
        for second in 1...2 {
            let connection = Connection(since: UInt64(second))
            #expect(places.open(connection))
            #expect(places.leaver == nil)
        }
        #expect(!places.isOverfull)
    }

    @Test("the longest waiting connection gives way, once, and a request in progress or the newcomer never")
    func order() {
        let places = Listener(limit: 3, perNetwork: 9)
        let (busy, old, older) = (Connection(since: nil), Connection(since: 2), Connection(since: 1))
        #expect(places.open(busy) && places.open(old) && places.open(older))
        let newcomer = Connection(since: 3)
        #expect(places.open(newcomer))
        #expect(places.leaver === older)
        // It leaves: there is room as soon as it has closed, so no other has to.
        #expect(places.nextToGiveWay() == nil)
        places.close(older)
        #expect(places.open(Connection(since: nil)))
        #expect(places.leaver === old)
        places.close(old)
        #expect(places.open(Connection(since: nil)))
        #expect(places.leaver === newcomer)
        places.close(newcomer)
        #expect(places.open(Connection(since: 9)))
        #expect(places.leaver == nil)
    }

    @Test("if all are busy, none gives way until one is idle")
    func busy() {
        let places = Listener(limit: 1, perNetwork: 9)
        let (first, second) = (Connection(since: nil), Connection(since: nil))
        #expect(places.open(first) && places.open(second))
        #expect(places.isOverfull)
        #expect(places.nextToGiveWay() == nil)
        second.waits(since: 5)
        #expect(places.nextToGiveWay() === second)
    }

    @Test(
        "if none is idle, the request that its client has held up longest gives way, once that is longer than 3 s"
    )
    func heldUp() {
        let places = Listener(limit: 3, perNetwork: 2)
        let (busy, later, earlier) = (
            Connection(1, since: nil), Connection(2, since: nil).isHeldUp(since: 98),
            Connection(3, since: nil).isHeldUp(since: 97)
        )
        for connection in [busy, later, earlier] { #expect(places.open(connection)) }
        #expect(places.open(Connection(4, since: nil)))
        #expect(places.leaver == nil)
        places.now = 101
        #expect(places.nextToGiveWay() === earlier)
        // It leaves: there is room.
        #expect(places.nextToGiveWay() == nil)
        places.close(earlier)
        places.now = 102
        let idle = Connection(5, since: 102)
        #expect(places.open(idle))
        #expect(places.leaver === later)
        places.close(later)
        // One that waits for a request goes first, and one that the server works on never does.
        #expect(places.open(Connection(6, since: nil).isHeldUp(since: 1)))
        #expect(places.leaver === idle)
    }

    @Test("an address whose requests are all held up for too long gets places for others")
    func heldUpAddress() {
        let places = Listener(limit: 10, perNetwork: 2)
        let (first, second) = (
            Connection(1, since: nil).isHeldUp(since: 90), Connection(1, since: nil).isHeldUp(since: 98)
        )
        #expect(places.open(first) && places.open(second))
        #expect(places.open(Connection(1, since: nil)))
        #expect(places.leaver === first)
        places.close(first)
        #expect(!places.open(Connection(1, since: nil)))
    }

    @Test("a connection that got a request meanwhile stays, and the next one gives way")
    func stays() {
        let places = Listener(limit: 1, perNetwork: 9)
        let (first, second) = (Connection(since: 1), Connection(since: 2))
        #expect(places.open(first) && places.open(second))
        #expect(places.leaver === first)
        first.waitingSince = nil
        #expect(places.stays(first) === second)
        places.close(second)
        #expect(places.nextToGiveWay() == nil)
    }

    @Test("the order is right however often connections were used since it was determined")
    func manyUses() {
        let places = Listener(limit: 500, perNetwork: 1_000)
        var waiting = (1...500).map { Connection(since: UInt64($0)) }
        for connection in waiting { _ = places.open(connection) }
        var now: UInt64 = 1_000
        for step in 0..<2_000 {
            now += 1
            // Every third step, the one that is next in order is used instead.
            if step.isMultiple(of: 3) {
                waiting[0].waits(since: now)
                waiting.append(waiting.removeFirst())
                continue
            }
            let newcomer = Connection(since: now)
            #expect(places.open(newcomer))
            #expect(places.leaver === waiting[0])
            places.close(waiting.removeFirst())
            waiting.append(newcomer)
        }
        #expect(places.count == 500)
    }
}
