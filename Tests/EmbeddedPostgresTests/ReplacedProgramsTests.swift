import FaultProxy
import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite("Programs that are replaced while the cluster runs", .serialized)
struct ReplacedProgramsTests {
    @Test("do not change the running server's version until it is restarted")
    func restart() throws {
        let programs = try CopiedPrograms()
        defer { programs.remove() }
        try ScratchFolder.with { scratch in
            let environment = ["LANDFALL_PG_BIN": programs.bin.path]
            let postgres = try scratch.startOrFind(environment: environment)
            let other = try scratch.startOrFind(environment: environment)
            let server = try #require(postgres.server)
            let version = try scratch.ask("SHOW server_version", of: postgres)
            #expect(try postgres.programVersion() == version)
            #expect(!postgres.hasOlderStart(server))

            // A server's start is known to the second.
            Thread.sleep(forTimeInterval: 1.1)
            try programs.upgrade()
            #expect(postgres.hasOlderStart(server))
            #expect(try postgres.programVersion() == programs.upgradedVersion)
            #expect(try scratch.ask("SHOW server_version", of: postgres) == version)

            #expect(try postgres.restart(insteadOf: server))
            #expect(try scratch.ask("SHOW server_version", of: postgres) == programs.upgradedVersion)
            #expect(try scratch.ask("SHOW fsync", of: postgres) == "off")

            // The other user asks for the same restart, and comes second.
            let restarted = try #require(postgres.server)
            #expect(restarted != server)
            #expect(try !other.restart(insteadOf: server))
            #expect(other.server == restarted)
            try other.release()
            try postgres.release()
            #expect(try !scratch.isServerRunning())
        }
    }

    @Test("a loader's complaints are not part of the version")
    func noise() throws {
        let programs = try CopiedPrograms()
        defer { programs.remove() }
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind(environment: ["LANDFALL_PG_BIN": programs.bin.path])
            let version = try postgres.programVersion()
            let program = programs.bin.appendingPathComponent("postgres").path
            try FileManager.default.moveItem(atPath: program, toPath: program + ".real")
            try Data(
                "#!/bin/sh\necho 'x.so: no version information available' >&2\nexec '\(program).real' \"$@\"\n"
                    .utf8
            )
            .write(to: URL(fileURLWithPath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            #expect(try postgres.programVersion() == version)
            try FileManager.default.removeItem(atPath: program)
            try FileManager.default.moveItem(atPath: program + ".real", toPath: program)
            try postgres.release()
        }
    }

    @Test("of four users that restart the same server at once, one does")
    func atOnce() async throws {
        try await ScratchFolder.with { scratch async throws in
            let postgres = try scratch.startOrFind()
            let server = try #require(postgres.server)
            let restarts = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 { group.addTask { try postgres.restart(insteadOf: server) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(restarts == 1)
            #expect(try scratch.ask("SELECT 1", of: postgres) == "1")
            try postgres.release()
        }
    }

    @Test("a restart by any user starts a cluster whose server is gone")
    func gone() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            let server = try #require(postgres.server)
            try scratch.cluster().stop()
            #expect(postgres.server == nil)
            #expect(try postgres.restart(insteadOf: server))
            #expect(try scratch.ask("SELECT 1", of: postgres) == "1")
            try postgres.release()
        }
    }
}
