#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard error without a buffer.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// One call of the system for the whole line, unless it takes a part only. What cannot be written is lost: there is nobody
    /// else to tell.
    @Sendable
    static func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty, let start = rest.baseAddress {
                #if canImport(Glibc)
                    let written = Glibc.write(STDERR_FILENO, start, rest.count)
                #else
                    let written = Darwin.write(STDERR_FILENO, start, rest.count)
                #endif
                guard written > 0 else {
                    guard errno == EINTR else { return }
                    continue
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}
