import Foundation
import Testing

@testable import EmbeddedPostgres

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A living program that is not a server but runs as the server's user, with a dead child that it never
/// reaps.
struct Sleeper {
    let id: pid_t
    let deadChildID: pid_t
    private let program: Process

    init(as account: ServerAccount) throws {
        let words = account.launcher + ["/bin/sh", "-c", "true & echo $!; exec sleep 3600"]
        let output = Pipe()
        program = Process()
        program.executableURL = URL(fileURLWithPath: words[0])
        program.arguments = Array(words.dropFirst())
        program.standardOutput = output
        try program.run()
        id = program.processIdentifier
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        deadChildID = try #require(pid_t(line.filter(\.isNumber)))
    }

    func end() {
        kill(id, SIGKILL)
        program.waitUntilExit()
    }
}
