import ChildPrograms
import EmbeddedPostgres
import Foundation
import Testing

/// A command that is stopped also stops the PostgreSQL that it started.
@Suite struct CommandSignalTests {
    @Test(
        "a signal while the private database starts or serves ends both",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signalled(number: Int32) async throws {
        let folder = try ThrowawayFolder.create(for: "signalled")
        defer { try? folder.remove() }
        let database = try folder.startDatabase(isDurable: false)
        try folder.end(database)
        let postmaster = folder.url.appendingPathComponent("cluster/postmaster.pid").path
        var environment = ProcessInfo.processInfo.environment
        environment["LANDFALL_DATA"] = folder.url.path
        let command = try ChildProgram.start(
            LandfallProgram.url, ["verify"], environment: environment,
            log: folder.url.appendingPathComponent("log"))
        // If the command ends before the signal, it has left nothing running either.
        while !FileManager.default.fileExists(atPath: postmaster), !command.hasEnded {
            try await Task.sleep(for: .milliseconds(2))
        }
        if !command.hasEnded { kill(command.pid, number) }
        while !command.hasEnded { try await Task.sleep(for: .milliseconds(2)) }
        #expect(!FileManager.default.fileExists(atPath: postmaster))
    }
}
