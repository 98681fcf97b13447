#if os(Linux)
    import Foundation
    import Glibc
    import Testing

    @testable import LandfallCore

    /// A ``KitProgram`` that a test started. Its functions block, so tests call them on a thread
    /// (``onThread(_:)``).
    final class Program {
        static let nobody: uid_t = 65_534

        private let process = Process()
        private let input: Pipe
        private let output: Pipe
        private var bytes = Data()
        private static let starting = Locked(())

        static func spoolFolder(in folder: URL) -> URL {
            folder.appendingPathComponent("group/Landfall/v1", isDirectory: true)
        }

        /// - Parameters:
        ///   - folder: the phone.
        ///   - files: how many events wait at most.
        ///   - hasOwnDisk: whether the phone is a ``SmallDisk``, which only the program sees.
        init(_ folder: URL, server: URL, files: Int = 1_000, hasOwnDisk: Bool = false) throws {
            (input, output) = Self.starting.use { _ in (Self.pipe(), Self.pipe()) }
            let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            var arguments = [tests, KitProgram.flag, folder.path, server.absoluteString, "\(files)"]
            if hasOwnDisk { arguments = SmallDisk.launching(arguments, on: folder) }
            process.executableURL = URL(fileURLWithPath: arguments[0])
            process.arguments = Array(arguments.dropFirst())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try Self.starting.use { _ in try process.run() }
        }

        /// A pipe of which no other program that is started gets an end: it would keep it open after this
        /// one's death.
        private static func pipe() -> Pipe {
            let pipe = Pipe()
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            return pipe
        }

        deinit {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        func tell(_ line: String) {
            try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// - Returns: what it says to this line.
        func ask(_ line: String) throws -> String {
            tell(line)
            return try #require(try nextLine(), "the program has ended after \(line)")
        }

        /// - Returns: `nil` if it has ended.
        func nextLine() throws -> String? {
            while true {
                if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { bytes = Data(bytes[(end + 1)...]) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                var waiting = pollfd(
                    fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 240_000) > 0 else { throw POSIXError(.ETIMEDOUT) }
                let part = output.fileHandleForReading.availableData
                guard !part.isEmpty else { return nil }
                bytes += part
            }
        }

        /// Kills it. What it had said can still be read.
        func killAtOnce() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        /// Lets it end.
        ///
        /// - Returns: whether it ended well.
        func end() -> Bool {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            return process.terminationReason == .exit && process.terminationStatus == 0
        }
    }

    /// Runs what blocks on a thread of its own.
    func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
#endif
