internal import Foundation
internal import Synchronization

/// One connection through the proxy: two threads, one for each direction.
final class Link: Sendable {
    private struct State {
        var endedDirections = 0
        /// Set while responses are held back until the one to the COMMIT is among them.
        var trap: Trap?
    }

    private let client: Int32
    private let server: Int32
    private let weather: Weather
    private let state = Mutex(State())

    init(client: Int32, server: Int32, weather: Weather) {
        self.client = client
        self.server = server
        self.weather = weather
    }

    /// - Parameter ended: called once both descriptors are closed.
    func start(ended: @escaping @Sendable (Link) -> Void) {
        for pump in [forwardRequests, forwardResponses] {
            Thread.detachNewThread {
                pump()
                self.endDirection(ended)
            }
        }
    }

    /// Ends every thread that reads or writes here.
    func cut() {
        Socket.shut(client)
        Socket.shut(server)
    }

    func reset() {
        Socket.resetWhenReleased(client)
        Socket.stopReading(client)
        Socket.shut(server)
    }

    private func endDirection(_ ended: (Link) -> Void) {
        let isLast = state.withLock { state in
            state.endedDirections += 1
            return state.endedDirections == 2
        }
        guard isLast else { return }
        Socket.release(client)
        Socket.release(server)
        ended(self)
    }

    private func forwardRequests() {
        defer { Socket.shut(server) }
        var scanner = RequestScanner()
        while let bytes = Socket.read(client) {
            for message in scanner.messages(adding: bytes) {
                if message.text == "COMMIT" {
                    if let trap = weather.take(at: .beforeCommit), !spring(trap) { return }
                    if let trap = weather.take(at: .beforeResponseToCommit) {
                        state.withLock { $0.trap = trap }
                    }
                }
                weather.note(message)
                guard forward(message.bytes, to: server) else { return }
            }
        }
    }

    private func forwardResponses() {
        defer { Socket.stopReading(client) }
        var held: [UInt8] = []
        while let bytes = Socket.read(server) {
            held += bytes
            if let trap = state.withLock(\.trap) {
                // A pipeline ends with one ReadyForQuery: Z, its length and the state of the session.
                guard held.suffix(6).starts(with: [UInt8(ascii: "Z"), 0, 0, 0, 5]) else { continue }
                state.withLock { $0.trap = nil }
                guard spring(trap) else { return }
            }
            guard forward(held, to: client) else { return }
            held.removeAll()
        }
    }

    /// Returns `false` if the connection is over.
    private func forward(_ bytes: [UInt8], to target: Int32) -> Bool {
        let delay = weather.delay
        if delay > .zero { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
        weather.gate.pass()
        guard let (count, trap) = weather.take(passing: bytes.count, toServer: target == server) else {
            return Socket.write(bytes, to: target)
        }
        guard Socket.write(bytes.prefix(count), to: target), spring(trap) else { return false }
        return Socket.write(bytes.dropFirst(count), to: target)
    }

    /// Returns `false` if the connection is over.
    private func spring(_ trap: Trap) -> Bool {
        defer { trap.sprung.finish() }
        switch trap.fault {
        case .cut: cut()
        case .reset: reset()
        case .stall:
            weather.gate.close()
            trap.sprung.yield()
            weather.gate.pass()
            return true
        case .none: return true
        }
        trap.sprung.yield()
        return false
    }
}
