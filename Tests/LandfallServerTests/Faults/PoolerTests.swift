import Access
import FaultProxy
import Foundation
import HummingbirdTesting
import LandfallServer
import TestDatabase
import Testing

/// The requirement of a pooler that lends sessions for one transaction at a time: no state outlives a transaction.
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
                $0.databaseURL = url
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
}
