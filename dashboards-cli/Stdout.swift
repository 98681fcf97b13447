internal import Foundation

/// Results go to stdout, and a result that did not get there is an error: somebody is about to rely on it.
enum Stdout {
    /// Writes the lines, each with a line break behind it.
    static func write(lines: [String]) throws(StdoutProblem) {
        try write(lines.map { $0 + "\n" }.joined())
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
