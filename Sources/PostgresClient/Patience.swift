internal import Synchronization

/// How long a connection waits for its server.
struct Patience: Sendable {
    /// The timeout of one round trip; `nil` waits indefinitely.
    var statementTimeout: Duration?
    /// Set once the program is ending; shared by all connections of a pool.
    var ending: EndOfWork?

    /// Starts a wait.
    func limit(_ workDeadline: ContinuousClock.Instant?) -> Limit {
        let statementDeadline = statementTimeout.map { ContinuousClock.now + $0 }
        return Limit(
            deadline: [statementDeadline, workDeadline].compactMap(\.self).min(),
            statementDeadline: statementDeadline, ending: ending)
    }

    /// The end of a wait that has started.
    struct Limit {
        let deadline: ContinuousClock.Instant?
        let statementDeadline: ContinuousClock.Instant?
        let ending: EndOfWork?

        /// Whether the round trip itself took too long, and not the work that it is part of.
        func hasTimedOut(now: ContinuousClock.Instant) -> Bool {
            statementDeadline.map { $0 <= now } ?? false
        }

        /// Poll time before the next check; `nil` if the wait is over. A program may start to end meanwhile.
        func pollMilliseconds(now: ContinuousClock.Instant) -> Int32? {
            let end = [deadline, ending?.deadline].compactMap(\.self).min()
            guard let end else { return 250 }
            guard now < end else { return nil }
            return Int32(min(250, 1 + (end - now) / .milliseconds(1)))
        }
    }
}

/// Tells a pool's threads that the program is ending.
final class EndOfWork: Sendable {
    private struct State {
        var deadline: ContinuousClock.Instant?
        var hasAbandoned = false
    }

    private let state = Mutex(State())

    /// How long to wait for responses; `nil` while the program is not ending.
    var deadline: ContinuousClock.Instant? { state.withLock(\.deadline) }
    /// Whether some work still waited when the deadline had passed.
    var hasAbandoned: Bool { state.withLock(\.hasAbandoned) }

    func set(_ deadline: ContinuousClock.Instant) {
        state.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
    }

    /// Notes that a wait was abandoned, which counts if the deadline has passed.
    func noteAbandoned(now: ContinuousClock.Instant) {
        state.withLock { state in
            if let deadline = state.deadline, deadline <= now { state.hasAbandoned = true }
        }
    }
}
