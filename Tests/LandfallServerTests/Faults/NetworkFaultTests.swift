import FaultProxy
import HummingbirdTesting
import LandfallServer
import TestDatabase
import Testing

/// The network between server and database fails in the middle of a load. Clients get 200 or 503 and repeat
/// requests without a 200; in the end everything is recorded exactly once. The server is never restarted.
@Suite(.databaseForLong, .serialized, .timeLimit(.minutes(40))) struct NetworkFaultTests {
    private static let calm = 0..<12
    private static let stormy = 12..<72
    private static let after = 72..<84

    /// - Parameter fault: causes the fault during the load, and returns when it is over.
    private func storm(
        url: (@Sendable (FaultProxy) -> String)? = nil,
        _ fault: @escaping @Sendable (Tally, FaultProxy) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        let proxy = try FaultProxy(upstream: database.socketFolder)
        defer { proxy.close() }
        let address = url?(proxy) ?? proxy.url(database: database.name)
        try await TestServer.run(
            configure: {
                $0.use(address + " connect_timeout=2 application_name=landfall-fault")
                $0.statementTimeout = .seconds(1)
                $0.workTimeout = .seconds(3)
            }
        ) { server async throws in
            let storm = Storm(server: server)
            try await storm.post(Self.calm)
            async let load: Void = storm.post(Self.stormy)
            try await fault(storm.tally, proxy)
            try await load
            try await storm.post(Self.after)
            let strange = await storm.tally.strange
            #expect(strange == [])
            #expect(await storm.tally.accepted == Self.after.upperBound)
        }
        try await Storm.expectExactlyOnce(bodies: Self.after.upperBound)
    }

    @Test(
        "a connection that ends around a COMMIT loses nothing and counts nothing twice",
        arguments: [FaultProxy.Moment.beforeCommit, .beforeResponseToCommit, .sent(3_000), .responded(400)],
        [FaultProxy.Fault.cut, .reset])
    func ends(_ moment: FaultProxy.Moment, _ fault: FaultProxy.Fault) async throws {
        try await storm { tally, proxy async throws in
            for _ in 0..<3 {
                for await _ in proxy.arm(moment, fault) {}
                await tally.acceptances(2)
            }
        }
    }

    @Test(
        "a network that stalls around a COMMIT is given up; a COMMIT that arrives late does not count again",
        arguments: [FaultProxy.Moment.beforeCommit, .beforeResponseToCommit])
    func stalls(_ moment: FaultProxy.Moment) async throws {
        try await storm { tally, proxy async throws in
            var sprung = proxy.arm(moment, .stall).makeAsyncIterator()
            _ = await sprung.next()
            await tally.rejections()
            proxy.resume()
        }
    }

    @Test("a slow network is not a fault")
    func slow() async throws {
        try await storm { tally, proxy async throws in
            proxy.delay(.milliseconds(20))
            await tally.acceptances(10)
            proxy.delay(.zero)
        }
    }

    @Test("the server waits for a database that accepts no connections")
    func rejects() async throws {
        try await storm { tally, proxy async throws in
            proxy.refuse()
            await tally.rejections(3)
            try proxy.accept()
        }
    }

    @Test("with two hosts, the second takes over when the first fails")
    func failover() async throws {
        let second = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { second.close() }
        let name = TestDatabase.current.name
        try await storm(url: { first in
            """
            host=127.0.0.1,127.0.0.1 port=\(first.port),\(second.port) user=landfall dbname=\(name) \
            target_session_attrs=read-write \(FaultProxy.plain)
            """
        }) { tally, first async throws in
            #expect(first.commitCount > 0)
            #expect(second.commitCount == 0)
            first.refuse()
            await tally.acceptances(10)
        }
        #expect(second.commitCount > 0)
    }
}
