internal import Synchronization

/// Tells a pool's threads that the program is ending.
final class EndOfWork: Sendable {
    private struct State {
        var deadline: ContinuousClock.Instant?
        var hasAbandoned = false
    }

    private let state = Mutex(State())

    /// Until when answers are waited for; nil while the program is not ending.
    var deadline: ContinuousClock.Instant? { state.withLock(\.deadline) }
    /// Whether something still waited when the deadline had passed.
    var hasAbandoned: Bool { state.withLock(\.hasAbandoned) }

    func set(_ deadline: ContinuousClock.Instant) {
        state.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
    }

    /// A wait was given up: because of the end, if that has come.
    func noteAbandoned(now: ContinuousClock.Instant) {
        state.withLock { state in
            if let deadline = state.deadline, deadline <= now { state.hasAbandoned = true }
        }
    }
}
