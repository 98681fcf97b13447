internal import Dispatch
internal import Foundation
internal import Rendering

/// The terminal while a program uses the whole screen: keys arrive at once and without echo, the cursor is
/// hidden, and the previous content of the screen comes back at the end.
///
/// Ctrl-C remains a signal, for `StopSignals`. Ctrl-Z and Ctrl-\ do nothing, because they would leave the
/// terminal in this state.
struct RawTerminal {
    enum Event: Sendable {
        case keys([UInt8])
        case resized
        /// The end of the input.
        case closed
    }

    struct Size: Equatable, Sendable {
        let columns: Int
        let rows: Int
    }

    private let original: termios

    /// Switches the terminal to this state.
    ///
    /// - Throws: ``CommandProblem/noTerminal``.
    init() throws {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw CommandProblem.noTerminal
        }
        original = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &settings.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
            bytes[Int(VSUSP)] = Self.disabled
            bytes[Int(VQUIT)] = Self.disabled
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        do {
            // Alternate screen, no cursor, no wrapping.
            try Stdout.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
        } catch {
            restore()
            throw error
        }
    }

    #if canImport(Darwin)
        private static let disabled: UInt8 = 0xFF
    #else
        private static let disabled: UInt8 = 0
    #endif

    /// Restores the terminal. Typed keys that have not been read are discarded.
    func restore() {
        try? Stdout.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = original
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// The size of the terminal; 80 × 24 if unknown.
    var size: Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Replaces the content of the screen, by at most as many lines as it has rows; atomically if the
    /// terminal supports synchronized output.
    func show(_ lines: [String]) throws {
        // Each line is cleared first: after a full one, the cursor would clear the last character.
        let shown = lines.prefix(size.rows).map { "\u{1B}[K" + TerminalText.harmless($0) }
        try Stdout.write("\u{1B}[?2026h\u{1B}[H\(shown.joined(separator: "\r\n"))\u{1B}[?2026l")
    }

    /// Passes typed keys and changes of size to the handler until the sources are canceled.
    func sources(_ handler: @escaping @Sendable (Event) -> Void) -> [any DispatchSourceProtocol] {
        let queue = DispatchQueue(label: "landfall.terminal")
        let typed = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        typed.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            handler(count > 0 ? .keys(Array(bytes.prefix(count))) : .closed)
        }
        let resized = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        resized.setEventHandler { handler(.resized) }
        let sources: [any DispatchSourceProtocol] = [typed, resized]
        for source in sources { source.resume() }
        return sources
    }
}
