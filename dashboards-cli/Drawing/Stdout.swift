internal import Foundation
internal import Wording

/// Writes results to stdout. A failed write is an error, because a program or a person is about to rely on the result.
enum Stdout {
    /// Writes lines of text. Control characters other than the colors of ``Ink`` are escaped, whatever the lines quote.
    static func write(lines: [String]) throws(StdoutProblem) {
        try write(lines.map { harmless($0) + "\n" }.joined())
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

    /// A line with its control characters escaped, except the colors of ``Ink``.
    static func harmless(_ line: String) -> String {
        guard line.utf8.contains(0x1B) else { return line.controlsEscaped }
        var rest = line[...]
        var harmless = ""
        while let escape = rest.unicodeScalars.firstIndex(of: "\u{1B}") {
            harmless += String(rest[..<escape]).controlsEscaped
            rest = rest[escape...]
            let color = Ink.codes.first { rest.utf8.starts(with: $0.utf8) }
            harmless += color ?? "\u{1B}".controlsEscaped
            rest = rest[rest.utf8.index(escape, offsetBy: color?.utf8.count ?? 1)...]
        }
        return harmless + String(rest).controlsEscaped
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
