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
