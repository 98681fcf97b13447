internal import PostgresClient
internal import Synchronization

/// The trouble of recent writes. Costs nothing while they succeed.
final class WriteHealth: Sendable {
    private struct State {
        var trouble: WritingTrouble?
        var restart: String?
    }

    private let state = Mutex(State())

    /// Notes an error that means that other writes may fail, too.
    func met(_ error: PostgresError) {
        guard let trouble = WritingTrouble(error) else { return }
        state.withLock { $0.trouble = trouble }
    }

    func wrote() { state.withLock { $0.trouble = nil } }

    /// The latest trouble of a write; `nil` once a later write has succeeded.
    var trouble: WritingTrouble? { state.withLock { $0.trouble } }

    /// The reason the private cluster is being restarted; `nil` if it is not.
    var restart: String? {
        get { state.withLock { $0.restart } }
        set { state.withLock { $0.restart = newValue } }
    }
}
