import Logging
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

@Suite(.database) struct DatabaseSafetyTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("a server does not start on a database that may lose what it committed, and says what to do")
    func refused() async throws {
        let configuration = ServerConfiguration(testing: TestDatabase.current.url)
        let error = await #expect(throws: UnsafeDatabase.self) {
            _ = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        }
        // The tests' cluster runs without fsync.
        #expect(error?.risks == ["fsync"])
        #expect(error?.description.contains("database.allow_unsafe") == true)
    }

    @Test("it starts if a setting allows that")
    func allowed() async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        try await backend.close()
    }

    @Test(
        "fsync and full_page_writes must both be on",
        arguments: [
            (true, true, []), (false, true, ["fsync"]), (true, false, ["full_page_writes"]),
            (false, false, ["fsync", "full_page_writes"]),
        ])
    func risks(syncsFiles: Bool, writesFullPages: Bool, risks: [String]) {
        let safety = DatabaseSafety(syncsFiles: syncsFiles, writesFullPages: writesFullPages)
        #expect(safety.risks == risks)
        var refusal: [String] = []
        do {
            try safety.check(allowsUnsafe: false, logger: logger)
        } catch {
            refusal = error.risks
        }
        #expect(refusal == risks)
    }

    @Test("the server's commits wait for the disk, whatever the database's synchronous_commit is")
    func synchronousCommit() async throws {
        let database = TestDatabase.current
        try await database.execute("ALTER DATABASE \(database.name) SET synchronous_commit = off")
        let usual = PostgresPool(database.configuration(size: 1), logger: logger)
        #expect(try await usual.withConnection { try DatabaseSafety(of: $0).synchronousCommit } == "off")
        try await usual.close()

        var configuration = ServerConfiguration(testing: database.url)
        configuration.allowsUnsafeDatabase = true
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        for pool in try [backend.home.pool, backend.home.ingestionPool] {
            #expect(try await pool.withConnection { try DatabaseSafety(of: $0).synchronousCommit } == "on")
        }
        try await backend.close()
    }

    @Test("a stricter synchronous_commit is kept")
    func stricter() async throws {
        let database = TestDatabase.current
        try await database.execute("ALTER DATABASE \(database.name) SET synchronous_commit = remote_apply")
        var pool = database.configuration(size: 1)
        pool.commitsDurably = true
        let opened = PostgresPool(pool, logger: logger)
        #expect(
            try await opened.withConnection { try DatabaseSafety(of: $0).synchronousCommit } == "remote_apply"
        )
        try await opened.close()
    }
}
