import Foundation
import Testing

@testable import EmbeddedPostgres

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("The life of a private cluster", .serialized)
struct ClusterLifeTests {
    @Test("a new data folder becomes a cluster with a database that accepts queries")
    func newFolder() throws {
        try ScratchFolder.with { scratch in
            #expect(EmbeddedPostgres.condition(of: scratch.dataFolder) == .absent)
            let postgres = try scratch.startOrFind()
            #expect(EmbeddedPostgres.condition(of: scratch.dataFolder) == .running)
            #expect(postgres.wasStartedHere)
            #expect(postgres.databaseName == "landfall")
            let response = try scratch.ask(
                "SELECT current_database(), current_user, pg_encoding_to_char(encoding), datcollate, "
                    + "current_setting('data_checksums'), current_setting('jit'), "
                    + "current_setting('timezone') "
                    + "FROM pg_database WHERE datname = current_database()", of: postgres)
            #expect(response == "landfall|landfall|UTF8|C|on|off|UTC")
            try postgres.release()
            #expect(EmbeddedPostgres.condition(of: scratch.dataFolder) == .stopped)
        }
    }

    @Test("the connection string names the socket's folder, the port, the database and the role")
    func connectionString() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            let expected = "host=\(postgres.socketFolder.path) port=5432 dbname=landfall user=landfall"
            #expect(postgres.connectionURL == expected)
            try postgres.release()
        }
    }

    @Test("a second user finds the running server, and its settings change nothing")
    func findsRunning() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind()
            let serverID = try scratch.serverID()
            let second = try scratch.startOrFind(["work_mem": "1MB"])
            #expect(first.wasStartedHere && !second.wasStartedHere)
            #expect(try scratch.serverID() == serverID)
            #expect(second.connectionURL == first.connectionURL)
            #expect(try scratch.ask("SHOW work_mem", of: second) == "16MB")
            try second.release()
            try first.release()
        }
    }

    @Test("the first of two users to leave keeps the server running, the last one stops it")
    func lastOneStops() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind()
            let second = try scratch.startOrFind()
            try first.release()
            #expect(try scratch.ask("SELECT 1", of: second) == "1")
            try second.release()
            #expect(try !scratch.isServerRunning())
        }
    }

    @Test("releasing twice does no harm")
    func releaseTwice() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind()
            try first.release()
            let second = try scratch.startOrFind()
            try first.release()
            #expect(try scratch.ask("SELECT 1", of: second) == "1")
            try second.release()
        }
    }

    @Test("what was written before a stop is there after the next start")
    func keepsRows() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind()
            _ = try scratch.ask("CREATE TABLE note AS SELECT 42 AS response", of: first)
            try first.release()
            let second = try scratch.startOrFind()
            #expect(second.wasStartedHere)
            #expect(try scratch.ask("SELECT response FROM note", of: second) == "42")
            try second.release()
        }
    }

    @Test("of several users who come at once, one starts the server and all can use it")
    func manyAtOnce() async throws {
        try await ScratchFolder.with { scratch in
            let users = try await withThrowingTaskGroup(of: EmbeddedPostgres.self) { group in
                for _ in 1...6 { group.addTask { try scratch.startOrFind() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(users.filter(\.wasStartedHere).count == 1)
            for user in users {
                #expect(try scratch.ask("SELECT 1", of: user) == "1")
                try user.release()
            }
            #expect(try !scratch.isServerRunning())
        }
    }

    @Test("a server killed with SIGKILL starts again and has what was committed")
    func killedServer() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind(["fsync": "on", "synchronous_commit": "on"])
            _ = try scratch.ask("CREATE TABLE note AS SELECT 42 AS response", of: first)
            kill(try scratch.serverID(), SIGKILL)
            let second = try scratch.startOrFind()
            #expect(second.wasStartedHere)
            #expect(try scratch.ask("SELECT response FROM note", of: second) == "42")
            try first.release()
            #expect(try scratch.isServerRunning())
            try second.release()
        }
    }

    @Test("a pid file that names another living program does not prevent a start")
    func mistakenPidFile() throws {
        try ScratchFolder.with { scratch in
            try scratch.startOrFind().release()
            let sleeper = try Sleeper(as: scratch.cluster().account)
            defer { sleeper.end() }
            try expectStart(in: scratch, despite: sleeper.id)
        }
    }

    @Test("a pid file that names a dead program that has not been reaped does not prevent a start")
    func unreapedPidFile() throws {
        try ScratchFolder.with { scratch in
            try scratch.startOrFind().release()
            let sleeper = try Sleeper(as: scratch.cluster().account)
            defer { sleeper.end() }
            try expectStart(in: scratch, despite: sleeper.deadChildID)
        }
    }

    @Test("a server whose socket was removed by a cleaner is restarted")
    func lostSocket() throws {
        try ScratchFolder.with { scratch in
            let first = try scratch.startOrFind()
            try FileManager.default.removeItem(atPath: first.socketFolder.path + "/.s.PGSQL.5432")
            let second = try scratch.startOrFind()
            #expect(second.wasStartedHere)
            #expect(try scratch.ask("SELECT 1", of: second) == "1")
            try first.release()
            try second.release()
        }
    }

    @Test("what a killed initdb left is removed and not mistaken for a cluster")
    func unfinishedCluster() throws {
        try ScratchFolder.with { scratch in
            let home = try scratch.layout().home(for: .current(ownerID: nil))
            let unfinished = Folder(path: home.child("cluster.unfinished-1"))
            try unfinished.makeIfAbsent(mode: 0o700)
            let postgres = try scratch.startOrFind()
            #expect(postgres.wasStartedHere)
            #expect(!unfinished.exists)
            try postgres.release()
        }
    }

    @Test("the server is in a session of its own, so Ctrl-C in the user's terminal does not reach it")
    func ownSession() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            let serverID = try scratch.serverID()
            #expect(getsid(serverID) == serverID)
            #expect(getsid(serverID) != getsid(0))
            try postgres.release()
        }
    }

    /// Plants the files that a server with this process id would have left, and starts the cluster.
    private func expectStart(in scratch: ScratchFolder, despite id: pid_t) throws {
        try #require(kill(id, 0) == 0)
        let cluster = try scratch.cluster()
        let lines = ["\(id)", cluster.folder.path, "1", "5432", cluster.socketFolder.path, "", "", "ready"]
        for path in [
            PostmasterFile.path(in: cluster.folder), cluster.socketFolder.child(".s.PGSQL.5432.lock"),
        ] {
            try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        }
        let postgres = try scratch.startOrFind()
        #expect(postgres.wasStartedHere)
        #expect(try scratch.serverID() != id)
        #expect(try scratch.ask("SELECT 1", of: postgres) == "1")
        try postgres.release()
    }
}
