internal import Foundation
internal import Rendering

/// Writes results to stdout. A failed write is an error: a program or a person will rely on the result.
enum Stdout {
    /// Writes lines of text. Control characters other than ``Ink``'s colors are escaped, whatever is quoted.
    static func write(lines: [String]) throws(CommandProblem) { try write(TerminalText.text(of: lines)) }

    /// Writes documents for programs, unchanged, each followed by a line break.
    static func write(documents: [String]) throws(CommandProblem) {
        try write(documents.map { $0 + "\n" }.joined())
    }

    static func write(_ text: String) throws(CommandProblem) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                throw CommandProblem("the result could not be written to stdout: \(reason)")
            }
        }
    }
}

extension OutputStyle {
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
