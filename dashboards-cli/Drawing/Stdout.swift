internal import DeliveryModel
internal import Foundation

/// Results go to stdout, and a result that did not get there is an error: a program or a person is about to rely on it.
enum Stdout {
    /// Writes lines for people. Whatever they quote, they hold no control characters but the colors of ``Ink``.
    static func write(lines: [String]) throws(StdoutProblem) {
        try write(lines.map { harmless($0) + "\n" }.joined())
    }

    /// Writes documents for programs, as they are, each with a line break after it.
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

    /// A line whose control characters are escaped, except our own colors.
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
