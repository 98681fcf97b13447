internal import Synchronization

/// The faults that the proxy applies to all its connections.
final class Weather: Sendable {
    struct Seen: Sendable {
        var namedStatements = 0
        var settings = 0
        var commits = 0
    }

    private struct State {
        var trap: Trap?
        var passed = 0
        var delay = Duration.zero
        var seen = Seen()
    }

    let gate = Gate()
    private let state = Mutex(State())

    var delay: Duration {
        get { state.withLock(\.delay) }
        set { state.withLock { $0.delay = newValue } }
    }

    var seen: Seen { state.withLock(\.seen) }

    func arm(_ trap: Trap) {
        state.withLock { state in
            state.trap = trap
            state.passed = 0
        }
    }

    func note(_ message: RequestScanner.Message) {
        state.withLock { state in
            if message.statementName?.isEmpty == false { state.seen.namedStatements += 1 }
            if message.keepsSetting { state.seen.settings += 1 }
            if message.text == "COMMIT" { state.seen.commits += 1 }
        }
    }

    /// Returns the trap if this is its moment, and disarms it.
    func take(at moment: FaultProxy.Moment) -> Trap? {
        state.withLock { state in
            guard let trap = state.trap, trap.moment == moment else { return nil }
            state.trap = nil
            return trap
        }
    }

    /// Returns how many of these bytes may pass before a trap springs, and the trap; `nil` if all may pass.
    func take(passing count: Int, toServer: Bool) -> (bytes: Int, trap: Trap)? {
        state.withLock { state in
            let limit: Int
            switch (state.trap?.moment, toServer) {
            case (.sent(let bytes), true), (.responded(let bytes), false): limit = bytes
            default: return nil
            }
            guard let trap = state.trap, state.passed + count >= limit else {
                state.passed += count
                return nil
            }
            state.trap = nil
            return (limit - state.passed, trap)
        }
    }
}
