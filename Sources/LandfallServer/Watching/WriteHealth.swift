internal import PostgresClient
internal import Synchronization

/// What recent writes met. Costs nothing while they go well.
final class WriteHealth: Sendable {
    private struct State {
        var trouble: WritingTrouble?
        var restart: String?
    }

    private let state = Mutex(State())

    /// An error says that others may not be able to write either.
    func met(_ error: PostgresError) {
        guard let trouble = WritingTrouble(error) else { return }
        state.withLock { $0.trouble = trouble }
    }

    /// Something was written.
    func wrote() { state.withLock { $0.trouble = nil } }

    /// The trouble of the last write that met any, while none has gone well since.
    var trouble: WritingTrouble? { state.withLock { $0.trouble } }

    /// Why the private cluster is being restarted; `nil` unless it is.
    var restart: String? {
        get { state.withLock { $0.restart } }
        set { state.withLock { $0.restart = newValue } }
    }
}
