internal import ArgumentParser
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Lets Ctrl-C, a closed terminal and SIGTERM cancel work instead of ending the program
/// immediately, so that the work can clean up after itself.
public enum StopSignals {
    public static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private static let isCancelling = Mutex(false)

    /// Runs the work to its end; a signal cancels it. Signals that the program was started to ignore, as
    /// nohup does with SIGHUP, stay ignored.
    ///
    /// - Throws: errors of the work; after a signal, the exit code that a shell expects, 128 + its number.
    public static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let caught = Mutex<Int32?>(nil)
        isCancelling.withLock { $0 = true }
        defer { isCancelling.withLock { $0 = false } }
        let task = Task(operation: work)
        let stopCatching = catching { number in
            caught.withLock { $0 = number }
            task.cancel()
        }
        let result = await task.result
        stopCatching()
        if let number = caught.withLock({ $0 }) { throw ExitCode(128 + number) }
        return try result.get()
    }

    /// Runs work that cannot be canceled. A signal releases what the work holds and ends the program with the
    /// exit code that a shell expects. Within ``cancelling(_:)``, no signal is caught here, because that
    /// function handles them.
    public static func releasing<Value>(
        _ release: @escaping @Sendable () -> Void, _ work: () throws -> Value
    ) rethrows -> Value {
        guard !isCancelling.withLock(\.self) else { return try work() }
        let stopCatching = catching { number in
            release()
            exit(128 + number)
        }
        defer { stopCatching() }
        return try work()
    }

    /// Calls the handler for each signal that is not ignored, until the result is called.
    private static func catching(_ handler: @escaping @Sendable (Int32) -> Void) -> () -> Void {
        let sources = numbers.filter { !isIgnored($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler(number) }
            source.resume()
            return (source, number)
        }
        return {
            for (source, number) in sources {
                source.cancel()
                signal(number, SIG_DFL)
            }
        }
    }

    /// Whether the program currently ignores the signal.
    public static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
