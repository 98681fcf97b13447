internal import Foundation

extension OutputStyle {
    /// How to draw on this stdout.
    static func stdout(asksForASCII: Bool = false) -> OutputStyle {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return OutputStyle(
            environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal,
            terminalWidth: isTerminal ? terminalWidth() : nil, asksForASCII: asksForASCII)
    }

    /// Columns of the terminal; nil when it does not tell.
    private static func terminalWidth() -> Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
