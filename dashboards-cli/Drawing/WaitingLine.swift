internal import Dispatch
internal import Foundation

/// Says on stderr, on a terminal only, what takes more than a second, and for how long it has.
enum WaitingLine {
    /// Runs the work; the line is gone when it ends.
    static func whileWaiting<Value>(_ what: String, _ work: () throws -> Value) rethrows -> Value {
        guard isatty(STDERR_FILENO) == 1 else { return try work() }
        let line = ProgressLine()
        let start = ContinuousClock.now
        let queue = DispatchQueue(label: "landfall.waiting")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler {
            let seconds = (ContinuousClock.now - start).components.seconds
            line.show("\(what), \(seconds) s so far")
        }
        timer.resume()
        defer {
            timer.cancel()
            // Behind a line that is just being written.
            queue.sync {
                if ContinuousClock.now - start >= .seconds(1) { line.clear() }
            }
        }
        return try work()
    }
}
