internal import Foundation
internal import Rendering

/// Writes results to stdout. A failed write is an error, because a program or a person is about to rely on the result.
enum Stdout {
    /// Writes lines of text. Control characters other than the colors of ``Ink`` are escaped, whatever the lines quote.
    static func write(lines: [String]) throws(StdoutProblem) {
        try write(TerminalText.text(of: lines))
    }

    /// Writes documents for programs, unchanged, each followed by a line break.
    static func write(documents: [String]) throws(StdoutProblem) {
        try write(documents.map { $0 + "\n" }.joined())
    }

    static func write(_ text: String) throws(StdoutProblem) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw .notWritten(reason: String(cString: strerror(errno)))
            }
        }
    }
}

enum StdoutProblem: Error, Equatable, CustomStringConvertible {
    case notWritten(reason: String)

    var description: String {
        switch self {
        case .notWritten(let reason): "the result could not be written to stdout: \(reason)"
        }
    }
}
