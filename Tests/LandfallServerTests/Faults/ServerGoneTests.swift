import FaultProxy
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

/// The database server fails in the middle of a load, on a cluster of the test's own.
@Suite(.serialized, .timeLimit(.minutes(40))) struct ServerGoneTests {
    private static let calm = 0..<12
    private static let stormy = 12..<72
    private static let after = 72..<84

    private func storm(
        on cluster: OwnCluster, _ fault: @escaping @Sendable (Tally) async throws -> Void
    ) async throws {
        let database = TestDatabase(name: "landfall", url: cluster.url)
        try database.makeCells()
        try await TestDatabase.$current.withValue(database) {
            try await TestServer.run(
                configure: {
                    $0.use(cluster.url + " application_name=landfall-fault")
                    $0.respondsBeforeClientsGiveUp()
                }
            ) { server async throws in
                let storm = Storm(server: server)
                try await storm.post(Self.calm)
                async let load: Void = storm.post(Self.stormy)
                try await fault(storm.tally)
                try await load
                try await storm.post(Self.after)
                let strange = await storm.tally.strange
                #expect(strange == [])
                #expect(await storm.tally.accepted == Self.after.upperBound)
            }
        }
        try await database.close()
        let checking = TestDatabase(name: "landfall", url: cluster.url)
        try await Storm.expectExactlyOnce(bodies: Self.after.upperBound, in: checking)
        try await checking.close()
    }

    @Test(
        "a restart of the database server, fast, immediate or after a kill -9, loses nothing and counts nothing twice",
        arguments: OwnCluster.Ending.allCases)
    func restarted(_ ending: OwnCluster.Ending) async throws {
        try await OwnCluster.run { cluster async throws in
            try await storm(on: cluster) { tally async throws in
                try await cluster.end(ending)
                await tally.rejections()
                try await cluster.start()
            }
        }
    }

    @Test(
        "the server waits for a database server without a free connection",
        .oneCell("the connections are as many as a server needs for one cell"))
    func tooManyConnections() async throws {
        try await OwnCluster.run(settings: ["max_connections": "12", "superuser_reserved_connections": "0"]) {
            cluster in
            try await storm(on: cluster) { tally async throws in
                let others = Crowd(url: cluster.url)
                let rejectedBefore = await tally.rejected
                while await tally.rejected == rejectedBefore {
                    others.fill()
                    try others.endServersSessions()
                    await Task.yield()
                }
                others.leave()
            }
        }
    }
}

/// Other programs, which take every connection they can get.
private final class Crowd {
    private let url: String
    private var connections: [PostgresConnection] = []

    init(url: String) {
        self.url = url
    }

    func fill() {
        while let connection = try? TestDatabase.connect(to: url) { connections.append(connection) }
    }

    func endServersSessions() throws {
        try connections.first?.query(
            SQLFile(
                name: "test/end",
                text: """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE application_name = 'landfall-fault'
                    """))
    }

    func leave() { connections.removeAll() }
}
