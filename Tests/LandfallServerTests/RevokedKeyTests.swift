import Access
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import Vault

@Suite(.database) struct RevokedKeyTests {
    @Test("a key that was revoked in the database is a 401 once its cache entry has expired")
    func revoked() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let key = try #require(keys[.server])
        let elapsed = Mutex(Duration.zero)
        let start = ContinuousClock.now
        let pool = TestDatabase.current.pool
        let ring = KeyRing(now: { start + elapsed.withLock { $0 } }) { digest in
            try await pool.withConnection { connection in
                try AppDirectory(connection)
                    .locate(digest.bytes, vault: TokenVault(testTokenKey)).credential
            }
        }
        let credential = try #require(try await ring.credential(for: key))
        try await pool.withConnection { connection in
            try AppDirectory(connection).revokeKey(credential.keyID, of: app, at: .now)
        }
        elapsed.withLock { $0 = .seconds(5) }
        #expect(try await ring.credential(for: key) == nil)
    }
}
