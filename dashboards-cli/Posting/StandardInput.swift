internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard input, piece by piece as it arrives.
struct StandardInput {
    private static let pieceBytes = 64 << 10
    /// How often a wait for input looks for a signal to stop, in milliseconds.
    private static let pause: Int32 = 200

    /// The next bytes; `nil` at the end.
    ///
    /// - Throws: ``CommandProblem``, `CancellationError` once the task is canceled.
    func read() throws -> [UInt8]? {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !Task.isCancelled, poll(&ready, 1, Self.pause) == 0 {}
        try Task.checkCancellation()
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
            let got = Foundation.read(STDIN_FILENO, buffer.baseAddress, Self.pieceBytes)
            if got < 0 { failure = errno }
            count = max(0, got)
        }
        guard failure == 0 else {
            throw CommandProblem("standard input cannot be read: \(String(cString: strerror(failure)))")
        }
        return bytes.isEmpty ? nil : bytes
    }
}
