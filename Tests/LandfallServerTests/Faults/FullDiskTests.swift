import FaultProxy
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

/// A disk that is really full, and holds the tables.
@Suite(.enabled(if: SmallDisk.isPossible), .timeLimit(.minutes(40))) struct FullDiskTests {
    @Test("while the disk is full clients get 503; once there is room again everything is recorded")
    func full() async throws {
        let disk = try SmallDisk(megabytes: 64)
        defer { disk.remove() }
        let place = try disk.makeFolder(owner: "postgres").path
        try await OwnCluster.run { cluster async throws in
            let administration = TestDatabase(name: "postgres", url: cluster.url + " dbname=postgres")
            try await administration.execute("CREATE TABLESPACE small LOCATION '\(place)'")
            try await administration.execute("ALTER DATABASE landfall SET TABLESPACE small")
            try await administration.close()
            let database = TestDatabase(name: "landfall", url: cluster.url)
            try database.makeCells()
            try await TestDatabase.$current.withValue(database) {
                try await TestServer.run(configure: { $0.use(cluster.url) }) {
                    server async throws in
                    let storm = Storm(server: server)
                    try await storm.post(0..<12)
                    // Without this file, which many changes of the schema remove, nobody can connect either.
                    try disk.removeAll(named: "pg_internal.init")
                    try disk.fill()
                    async let load: Void = storm.post(12..<132)
                    try await disk.whileFull {
                        await storm.tally.rejections(3)
                        // Some batches still fit into existing pages; the next one that does not is
                        // remembered.
                        var full = try await server.send(.get, TestServer.readiness, as: nil)
                        while full.code != "not_writable" {
                            try await Task.sleep(for: .milliseconds(20))
                            full = try await server.send(.get, TestServer.readiness, as: nil)
                        }
                        #expect(full.detail?.contains("53100") == true)
                    }
                    try disk.makeRoom()
                    while try await server.send(.get, TestServer.readiness, as: nil).status != 200 {
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    try await load
                    let strange = await storm.tally.strange
                    #expect(strange == [])
                }
                try await Storm.expectExactlyOnce(bodies: 132)
            }
            try await database.close()
        }
    }
}
