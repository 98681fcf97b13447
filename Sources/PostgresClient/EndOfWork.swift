internal import Instants
internal import Synchronization

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
