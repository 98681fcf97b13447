internal import Foundation
internal import Synchronization

/// A proxy between Landfall and PostgreSQL that simulates a bad network: it cuts, resets, stalls, delays and
/// refuses connections, even at the exact moment of a COMMIT.
///
/// It listens on a loopback port and connects to PostgreSQL's Unix socket.
public final class FaultProxy: Sendable {
    private struct State {
        var listener: Int32?
        var links: [ObjectIdentifier: Link] = [:]
    }

    public let port: Int
    private let upstream: String
    private let weather = Weather()
    private let state: Mutex<State>

    /// - Parameter upstream: the folder of PostgreSQL's socket.
    public init(upstream: String) throws {
        let (listener, port) = try Socket.listen(port: 0)
        self.port = port
        self.upstream = upstream + "/.s.PGSQL.5432"
        state = Mutex(State(listener: listener))
        acceptConnections(listener)
    }

    /// The connection string of PostgreSQL through this proxy, without encryption so that the proxy can read
    /// the traffic.
    public func url(database: String) -> String {
        "host=127.0.0.1 port=\(port) user=landfall dbname=\(database) \(Self.plain)"
    }

    public static let plain = "sslmode=disable gssencmode=disable"

    /// The named prepared statements and session settings that passed: what a transaction pooler cannot keep
    /// apart.
    public var sessionStateCount: Int { weather.seen.namedStatements + weather.seen.settings }
    public var commitCount: Int { weather.seen.commits }

    /// Causes a fault once. The stream ends when it has happened.
    public func arm(_ moment: Moment, _ fault: Fault) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        weather.arm(Trap(moment: moment, fault: fault, sprung: continuation))
        return stream
    }

    /// Stops all traffic. What is sent meanwhile arrives after `resume()`, even if no one waits for it any
    /// more.
    public func stall() { weather.gate.close() }
    public func resume() { weather.gate.open() }

    /// Delays everything sent, in either direction, by this long each time.
    public func delay(_ delay: Duration) { weather.delay = delay }

    /// Ends all connections and accepts no new ones.
    public func refuse() {
        let (listener, links) = state.withLock { state in
            defer { state.listener = nil }
            return (state.listener, Array(state.links.values))
        }
        if let listener { Socket.shut(listener) }
        for link in links { link.cut() }
    }

    /// Accepts connections again, on the same port.
    public func accept() throws {
        let (listener, _) = try Socket.listen(port: port)
        state.withLock { $0.listener = listener }
        acceptConnections(listener)
    }

    /// Ends all connections.
    public func cut() {
        for link in state.withLock({ Array($0.links.values) }) { link.cut() }
    }

    public func close() {
        refuse()
        resume()
    }

    private func acceptConnections(_ listener: Int32) {
        Thread.detachNewThread {
            while let client = Socket.next(of: listener) { self.connect(client, from: listener) }
            Socket.release(listener)
        }
    }

    private func connect(_ client: Int32, from listener: Int32) {
        guard let server = try? Socket.connect(path: upstream) else { return Socket.release(client) }
        let link = Link(client: client, server: server, weather: weather)
        let isWelcome = state.withLock { state in
            guard state.listener == listener else { return false }
            state.links[ObjectIdentifier(link)] = link
            return true
        }
        link.start { link in self.state.withLock { $0.links[ObjectIdentifier(link)] = nil } }
        if !isWelcome { link.cut() }
    }
}
