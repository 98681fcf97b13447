import Access
import DeliveryModel
import FaultProxy
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ingestion
import LandfallServer
import Maintenance
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

/// The requirement of a pooler that lends sessions for one transaction at a time: no state outlives a
/// transaction.
@Suite(.database, .timeLimit(.minutes(40))) struct PoolerTests {
    @Test(
        "without prepared statements sessions keep no state, and the numbers are the same",
        arguments: [false, true])
    func sessionState(preparesStatements: Bool) async throws {
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { proxy.close() }
        let url = proxy.url(database: TestDatabase.current.name)
        try await TestServer.run(
            configure: {
                $0.use(url)
                $0.preparesStatements = preparesStatements
            }
        ) { server async throws in
            let storm = Storm(server: server)
            try await storm.post(0..<12)
            let strange = await storm.tally.strange
            #expect(strange == [])
            let body =
                #"{"platform":"ios","tokens":[{"value":"\#(tokenValue(1))","topic":"com.example.shop"}]}"#
            #expect(try await server.put(UUID(), body).status == 200)
        }
        try await Storm.expectExactlyOnce(bodies: 12)
        #expect((proxy.sessionStateCount > 0) == preparesStatements)
    }

    @Test(
        "through PgBouncer, a server and a change of the token key exclude each other, and sweeps and maintenance run again and again"
    )
    func bouncer() async throws {
        let (name, socketFolder) = (TestDatabase.current.name, TestDatabase.current.socketFolder)
        try await PgBouncer.run(upstream: socketFolder) { bouncer async throws in
            let url = bouncer.url(database: name)
            let connect = { @Sendable in try TestDatabase.connect(to: url, preparesStatements: false) }
            let reseal = { @Sendable in
                try Reseal(
                    from: TokenVault(testTokenKey), to: TokenVault(.random()),
                    of: [SealedTokens(), SealedQuarantine()], on: connect())
            }
            try await TestServer.run(
                configure: {
                    $0.use(url)
                    $0.preparesStatements = false
                }
            ) { server async throws in
                let storm = Storm(server: server)
                try await storm.post(0..<6)
                for _ in 0..<5 {
                    _ = try Maintenance().run(on: connect())
                    _ = try Sweep(appID: server.app.appID, on: connect()).apply(SweepRules(), now: .now)
                    #expect(throws: LockTaken(.tokenKey)) { try reseal().apply() }
                }
                try await storm.post(6..<12)
                let feed = try await server.send(.get, "/v1/tokens", as: .server)
                #expect(feed.status == 200, "\(feed.text)")
            }
            try await Storm.expectExactlyOnce(bodies: 12)
            // PgBouncer ends the server's transaction when it notices that the connection is closed.
            while true {
                do {
                    _ = try reseal().apply()
                    break
                } catch is LockTaken {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }
}
