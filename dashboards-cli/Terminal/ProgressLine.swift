internal import Dispatch
internal import Foundation
internal import Rendering

/// One line on stderr that is overwritten; nothing if stderr is not a terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func clear() { show("") }

    /// Writes the line. `ESC [ K` clears the rest of a longer one.
    func show(_ text: String) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\(printable(text))\u{1B}[K".utf8))
    }

    /// Shows how much of a run is done, and removes the line when it ends.
    ///
    /// - Parameter run: gets what shows a count.
    static func showing<Value>(
        _ action: String, of total: Int64, _ unit: String, _ run: ((Int64) -> Void) throws -> Value
    ) rethrows -> Value {
        let line = ProgressLine()
        defer { line.clear() }
        return try run { line.show("\(action)  \(grouped($0)) of \(grouped(total)) \(unit)") }
    }
}

/// Shows on stderr, only on a terminal, what takes more than a second and how long it has taken.
enum WaitingLine {
    /// Runs the work and removes the line when it ends.
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
            // Wait for a line that is being written.
            queue.sync {
                if ContinuousClock.now - start >= .seconds(1) { line.clear() }
            }
        }
        return try work()
    }
}
