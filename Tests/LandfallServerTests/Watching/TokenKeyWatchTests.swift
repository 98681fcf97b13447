import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@testable import LandfallServer

/// A server and a change of the token key exclude each other.
@Suite(.database) struct TokenKeyWatchTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func open() async throws -> Backend {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        return try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
    }

    private func reseal() throws -> Reseal.Result {
        try Reseal(
            from: TokenVault(testTokenKey), to: TokenVault(.random()),
            of: [SealedTokens(), SealedQuarantine()],
            on: TestDatabase.current.connect()
        ).apply()
    }

    /// Retries because the database releases the key only once it has noticed that the server's connection is
    /// closed.
    private func resealOnceFree() async throws {
        for _ in 0..<400 {
            do {
                _ = try reseal()
                return
            } catch is LockTaken {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        Issue.record("the key is still in use")
    }

    @Test("while a server runs nothing is moved; afterward a server with the old key does not start")
    func exclusion() async throws {
        let backend = try await open()
        #expect(throws: LockTaken(.tokenKey)) { try reseal() }
        try await backend.close()
        try await resealOnceFree()
        await #expect(throws: TokenKeyError.notTheKeyOfThisDatabase) { _ = try await open() }
    }

    @Test("a server that lost its hold on the key ends as soon as the tokens are moved")
    func watch() async throws {
        let backend = try await open()
        try await TestDatabase.current.execute(
            "UPDATE landfall.setting SET value = '\\x00' WHERE name = 'token_key_check'")
        await #expect(throws: TokenKeyError.notTheKeyOfThisDatabase) {
            try await TokenKeyWatch(cell: backend.home, interval: .milliseconds(1), logger: logger).run()
        }
        try await backend.close()
    }
}
