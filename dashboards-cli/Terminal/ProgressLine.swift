internal import Foundation
internal import Rendering

/// One line on stderr that is overwritten; nothing if stderr is not a terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ progress: TrafficPoster.Progress) {
        let received = progress.received
        let share = Double(received.received) / Double(max(progress.allEvents, 1))
        let events = "\(grouped(received.received)) of \(grouped(Int64(progress.allEvents))) events"
        show("posting  \(percent(share)) %  \(events)")
    }

    /// Removes the line.
    func clear() { show("") }

    /// Writes the line. `ESC [ K` clears the rest of a longer one.
    func show(_ text: String) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\(printable(text))\u{1B}[K".utf8))
    }
}
