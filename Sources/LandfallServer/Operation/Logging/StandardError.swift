#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard error without a buffer.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes the line in one system call, unless that accepts only part of it. A line that cannot be written is lost: there is
    /// nowhere to report it.
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
