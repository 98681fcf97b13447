import Foundation
import Testing

@testable import EmbeddedPostgres

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("The location and privacy of a private cluster", .serialized)
struct ClusterPrivacyTests {
    @Test("the data folder, the cluster and the socket's folder are closed to other users")
    func modes() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            #expect(mode(of: scratch.dataFolder.path) == 0o700)
            #expect(mode(of: scratch.dataFolder.path + "/cluster") == 0o700)
            #expect(mode(of: postgres.socketFolder.path) == 0o700)
            #expect(mode(of: postgres.socketFolder.path + "/.s.PGSQL.5432") == 0o700)
            #expect(mode(of: try scratch.cluster().logFile) == 0o600)
            try postgres.release()
        }
    }

    @Test("there is no TCP listener")
    func noPort() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            #expect(try scratch.ask("SHOW listen_addresses", of: postgres) == "")
            let file = PostmasterFile.path(in: try scratch.cluster().folder)
            let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
            #expect(lines[5] == "", "the line with the address that the server listens on")
            try postgres.release()
        }
    }

    @Test(
        "a data folder whose path does not suit a socket gets a short socket folder",
        arguments: [String(repeating: "long-", count: 30), "with space", "with,comma", "with'quote", "päth"])
    func awkwardPath(name: String) throws {
        try ScratchFolder.with(name) { scratch in
            try scratch.openToServer()
            let postgres = try scratch.startOrFind()
            #expect(postgres.socketFolder.path == (try scratch.layout().shortSocketFolder.path))
            #expect(mode(of: postgres.socketFolder.path) == 0o700)
            #expect(try scratch.ask("SELECT 1", of: postgres) == "1")
            let second = try scratch.startOrFind()
            #expect(second.connectionURL == postgres.connectionURL)
            try postgres.release()
            try second.release()
            #expect(!(try scratch.layout().shortSocketFolder.exists))
        }
    }

    @Test("a path that pg_ctl would misread is rejected", arguments: ["do$lar", "quo\"te", "back`tick"])
    func dangerousPath(name: String) throws {
        try ScratchFolder.with(name) { scratch in
            #expect(throws: EmbeddedPostgresError.self) { try scratch.startOrFind() }
        }
    }

    @Test("a data folder that the server's user can enter holds the cluster itself")
    func inPlace() throws {
        try ScratchFolder.with { scratch in
            try scratch.openToServer()
            let postgres = try scratch.startOrFind()
            #expect(try !scratch.layout().clusterLink.isLink)
            #expect(postgres.socketFolder.path == scratch.dataFolder.path + "/run")
            try postgres.release()
        }
    }

    @Test("root's closed data folder holds links to the cluster and the socket", .enabled(if: geteuid() == 0))
    func relocated() throws {
        try ScratchFolder.with { scratch in
            let postgres = try scratch.startOrFind()
            let layout = try scratch.layout()
            #expect(layout.clusterLink.isLink)
            #expect(layout.clusterLink.resolved?.path == layout.relocatedHome.child("cluster"))
            #expect(Folder(path: layout.dataFolder.child("run")).resolved?.path == postgres.socketFolder.path)
            #expect(layout.clusterLink.ownerID == (try scratch.cluster().account.userID))
            try postgres.release()
        }
    }

    @Test("a link to a missing cluster is not replaced by an empty cluster")
    func danglingLink() throws {
        try ScratchFolder.with { scratch in
            let link = try scratch.layout().clusterLink
            symlink("/nowhere/cluster", link.path)
            #expect(throws: EmbeddedPostgresError.clusterMissing(link: link.path)) {
                try scratch.startOrFind()
            }
        }
    }

    @Test("a socket folder that another user planted as a link is rejected")
    func plantedSocketFolder() throws {
        try ScratchFolder.with("with space") { scratch in
            try scratch.openToServer()
            symlink("/tmp", try scratch.layout().shortSocketFolder.path)
            let error = #expect(throws: EmbeddedPostgresError.self) { try scratch.startOrFind() }
            #expect(error?.description.contains("is not a folder") == true)
        }
    }
}

extension ScratchFolder {
    /// Creates the data folder so that every user can pass through it, as is common for mounted volumes.
    fileprivate func openToServer() throws {
        try DataFolder(url: dataFolder).create()
        chmod(dataFolder.path, 0o755)
        chmod(root.path, 0o755)
    }
}
