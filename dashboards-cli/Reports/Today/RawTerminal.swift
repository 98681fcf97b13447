internal import Dispatch
internal import Foundation

/// The terminal while a program has the whole screen: keys come at once and unseen, the cursor is hidden, and what stood on
/// the screen before comes back at the end.
///
/// Ctrl-C stays a signal, for `StopSignals`. Ctrl-Z and Ctrl-\ do nothing: they would leave the terminal as it is.
struct RawTerminal {
    enum Event: Sendable {
        case keys([UInt8])
        case resized
        /// Nothing will be typed any more.
        case closed
    }

    struct Size: Equatable, Sendable {
        let columns: Int
        let rows: Int
    }

    private let original: termios

    /// Takes the terminal over.
    ///
    /// - Throws: ``WatchProblem/noTerminal``.
    init() throws {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw WatchProblem.noTerminal
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

    /// Gives the terminal back as it was. What has been typed and not read is thrown away.
    func restore() {
        try? Stdout.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = original
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// 80 × 24 when the terminal does not tell.
    var size: Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Replaces all that is on the screen by as many lines as it has rows, at once where the terminal can (synchronised output).
    func show(_ lines: [String]) throws {
        // Cleared first: behind a full line, the cursor stands on its last character.
        let text = lines.prefix(size.rows).map { "\u{1B}[K" + Stdout.harmless($0) }.joined(separator: "\r\n")
        try Stdout.write("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[?2026l")
    }

    /// What is typed, and changes of size, until the sources are cancelled.
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
