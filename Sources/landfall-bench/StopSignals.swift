internal import ArgumentParser
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Lets Ctrl-C, a closed terminal and SIGTERM cancel the work instead of ending the program on the spot, so that the
/// work can clear up behind itself.
enum StopSignals {
    static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// - Throws: what the work throws; after a signal the exit code a shell expects, 128 + the signal's number.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let caught = Mutex<Int32?>(nil)
        let task = Task(operation: work)
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                caught.withLock { $0 = number }
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.result
        sources.forEach { $0.cancel() }
        if let number = caught.withLock({ $0 }) { throw ExitCode(128 + number) }
        return try result.get()
    }
}

/// Runs the body and then the end, whatever happens. When both go wrong, the body's error is the one worth knowing.
func ending<Value>(_ end: () async throws -> Void, _ body: () async throws -> Value) async throws -> Value {
    let result: Result<Value, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    do {
        try await end()
    } catch {
        _ = try result.get()
        throw error
    }
    return try result.get()
}
