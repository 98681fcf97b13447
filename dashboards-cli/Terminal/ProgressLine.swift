internal import Dispatch
internal import Foundation
internal import Rendering

/// One line on stderr that is overwritten; nothing if stderr is not a terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ received: Int64, of events: Int64) {
        let share = Double(received) / Double(max(events, 1))
        show("posting  \(percent(share)) %  \(grouped(received)) of \(grouped(events)) events")
    }

    /// Removes the line.
    func clear() { show("") }

    /// Writes the line. `ESC [ K` clears the rest of a longer one.
    func show(_ text: String) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\(printable(text))\u{1B}[K".utf8))
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
