internal import Logging
internal import ServiceLifecycle

/// Calls `look` repeatedly, with a pause after each, until the task is canceled or the server shuts down.
///
/// - Parameter first: what `look` knows before its first call.
func every<State: Sendable>(
    _ pause: Duration, from first: State, _ look: @escaping @Sendable (inout State) async throws -> Void
) async rethrows {
    try await cancelWhenGracefulShutdown {
        var state = first
        while !Task.isCancelled {
            try await look(&state)
            // If canceled, the loop ends.
            try? await Task.sleep(for: pause)
        }
    }
}

extension Logger {
    /// Does work that the next turn retries if it fails. `nil` if it failed, which is logged for debugging.
    @discardableResult
    func attempt<Value: Sendable>(
        _ trouble: Logger.Message, _ work: () async throws -> Value
    ) async -> Value? {
        do {
            return try await work()
        } catch {
            debug(trouble, metadata: ["error": "\(error)"])
            return nil
        }
    }
}
