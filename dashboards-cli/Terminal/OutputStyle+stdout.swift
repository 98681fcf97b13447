internal import Foundation
internal import Rendering

extension OutputStyle {
    /// The style for this program's stdout.
    static func stdout(asksForASCII: Bool = false) -> OutputStyle {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return OutputStyle(
            environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal,
            terminalWidth: isTerminal ? terminalWidth() : nil, asksForASCII: asksForASCII)
    }

    /// The columns of the terminal; `nil` if unknown.
    private static func terminalWidth() -> Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
