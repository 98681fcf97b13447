internal import Foundation

/// Sends requests on one thread and polls all connections once a millisecond: it must be cheap, because it shares the machine
/// with what it measures.
///
/// It blocks the calling thread, and nothing else may run in this program at that time.
struct LoadGenerator: Sendable {
    enum Pace: Sendable {
        /// Every connection sends its next request as soon as it has the response to the last one.
        case closedLoop(seconds: Double)
        /// Requests are sent by the clock.
        case openLoop(OpenLoopSchedule)

        var seconds: Double {
            switch self {
            case .closedLoop(let seconds): seconds
            case .openLoop(let schedule): schedule.seconds
            }
        }
    }

    /// On this machine.
    let port: UInt16

    /// The longest wait for responses after the last request, in seconds.
    private static let patience = 30.0

    func run(_ pace: Pace, connections: Int, _ traffic: inout OverloadTraffic) throws -> LoadOutcome {
        // A server that closes a connection must not end this program.
        signal(SIGPIPE, SIG_IGN)
        var outcome = LoadOutcome(seconds: pace.seconds)
        var idle = (0..<connections).map { _ in LoadConnection(port: port) }
        var busy: [LoadConnection] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var handled = 0
        let start = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - start) / .seconds(1) }

        /// Sends a request if a connection is free.
        func send(due: Double) -> Bool {
            guard let connection = idle.popLast() else { return false }
            outcome.sent += 1
            if connection.start(&traffic, due: due) { busy.append(connection) } else { lose(connection) }
            return true
        }

        func lose(_ connection: LoadConnection) {
            connection.disconnect()
            outcome.broken += 1
            outcome.unknownEvents += connection.eventCount
            idle.append(connection)
        }

        func advance(_ states: [pollfd]) {
            let all = busy
            busy.removeAll(keepingCapacity: true)
            for (connection, state) in zip(all, states) {
                switch state.revents == 0 ? .underWay : connection.advance(&buffer) {
                case .underWay: busy.append(connection)
                case .broken: lose(connection)
                case .responded(let response):
                    outcome.count(response, due: connection.due, now: elapsed())
                    idle.append(connection)
                }
            }
        }

        while true {
            try Task.checkCancellation()
            let now = elapsed()
            switch pace {
            case .closedLoop(let seconds):
                // Broken connections would be retried without end.
                for _ in idle.indices where now < seconds { _ = send(due: now) }
            case .openLoop(let schedule):
                for number in handled..<max(handled, schedule.due(after: now)) {
                    if !send(due: schedule.instant(of: number)) { outcome.unsent += 1 }
                    handled = number + 1
                }
            }
            if now >= pace.seconds, busy.isEmpty || now >= pace.seconds + Self.patience { break }
            usleep(1_000)
            advance(Self.look(at: busy))
        }
        outcome.withoutResponse = busy.count
        outcome.unknownEvents += busy.reduce(0) { $0 + $1.eventCount }
        return outcome
    }

    /// Polls all connections. Returns their states in the same order.
    private static func look(at connections: [LoadConnection]) -> [pollfd] {
        var states = connections.map(\.interest)
        poll(&states, nfds_t(states.count), 0)
        return states
    }
}
