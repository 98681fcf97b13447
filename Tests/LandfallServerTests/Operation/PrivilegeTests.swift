import Access
import Foundation
import HTTPTypes
import Ingestion
import Logging
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle

@testable import LandfallServer

/// docs/operations.md, Privileges: what a role needs, and that an error names what it lacks.
@Suite(.database) struct PrivilegeTests {
    private let schema = TestDatabase.schema

    /// Creates a role for the test and drops it: roles belong to the whole cluster.
    private func withRole(_ body: (_ name: String, _ url: String) async throws -> Void) async throws {
        let database = TestDatabase.current
        let role = "role-" + UUID().uuidString.lowercased()
        try await database.execute(#"CREATE ROLE "\#(role)" LOGIN"#)
        do {
            try await body(role, "\(database.url) user=\(role)")
        } catch {
            try await drop(role)
            throw error
        }
        try await drop(role)
    }

    private func drop(_ role: String) async throws {
        for statement in ["DROP OWNED BY", "DROP ROLE"] {
            try await TestDatabase.current.execute(#"\#(statement) "\#(role)""#)
        }
    }

    /// Follows the advice of each error until there is none, and returns the advice.
    private func obeying(_ role: String, _ body: () async throws -> Void) async throws -> [String] {
        var grants: [String] = []
        while true {
            do {
                try await body()
                return grants
            } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
                let grant = try #require(
                    error.description.firstMatch(of: /GRANT [A-Z, ]+ ON [\w ]+ TO "[^"]+"/)?.0)
                try #require(!grants.contains(String(grant)), "\(error)")
                #expect(grant.hasSuffix(#" TO "\#(role)""#))
                try await TestDatabase.current.execute(String(grant))
                grants.append(String(grant))
            }
        }
    }

    @Test(
        "the server works as a role that owns nothing once it has what each error named",
        .oneCell("the grants are those of one schema"))
    func server() async throws {
        try await withRole { role, url in
            var configuration = ServerConfiguration(testing: url)
            configuration.allowsUnsafeDatabase = true
            let grants = try await obeying(role) { [configuration] in
                let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
                try await backend.close()
            }
            #expect(
                grants == [
                    #"GRANT USAGE ON SCHEMA \#(schema) TO "\#(role)""#,
                    #"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \#(schema) TO "\#(role)""#,
                ])
            try await TestServer.run(configure: { $0.use(url) }) { server in
                let value = tokenValue(1)
                let body = #"{"platform":"ios","tokens":[{"value":"\#(value)","topic":"com.example.shop"}]}"#
                #expect(try await server.put(UUID(), body).status == 200)
                let event = """
                    {"type":"response","notification_id":"\(UUID().uuidString)","provider":"apns","status":410,\
                    "reason":"Unregistered","timestamp":\(Instant.now.millisecondsSinceEpoch),\
                    "sent_at":\(Instant.now.millisecondsSinceEpoch),"token":"\(value)","topic":"com.example.shop"}
                    """
                let response = try await server.post(event)
                #expect(response.status == 200, "\(response)")
                let report = try await server.send(.get, "/v1/reports/funnel", as: .report)
                #expect(report.status == 200)
            }
            let rows = try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery")
            #expect(rows == 1)
            // As after a restore.
            try await TestDatabase.current.execute(
                "UPDATE landfall.token_transition SET written_by = written_by + 9000000000")
            try ChangeFeed.adopt(on: TestDatabase.connect(to: url))
            let ahead = try await TestDatabase.current.count(
                """
                SELECT count(*) FROM landfall.token_transition
                WHERE written_by > coalesce(pg_sequence_last_value('landfall.ledger_offset'), 0)
                """)
            #expect(ahead == 0)
        }
    }

    @Test("a role that owns nothing creates partitions for its events; dropping an old day needs the owner")
    func maintenance() async throws {
        try await withRole { role, url in
            for statement in [
                "USAGE ON SCHEMA \(schema)",
                "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema)",
            ] {
                try await TestDatabase.current.execute(#"GRANT \#(statement) TO "\#(role)""#)
            }
            let connection = try TestDatabase.connect(to: url)
            let ahead = try Maintenance(MaintenanceSettings()).run(on: connection)
            #expect(ahead.daysMade == 8)
            let old = Instant.now - .days(7)
            try connection.query(.Ingestion.ensurePartition, [.value(old)])
            let error = #expect(throws: PostgresError.self) {
                _ = try Maintenance(MaintenanceSettings(retention: .days(5))).run(on: connection)
            }
            #expect(error?.sqlState == .insufficientPrivilege)
            let description = try #require(error).description
            #expect(description.contains("Connect as the owner"), "\(description)")
        }
    }

    @Test(
        "each kind of object has its GRANT, and an unreadable message names the role and the page",
        arguments: [
            ("SELECT 1 FROM report_v1.funnel_by_day", "GRANT USAGE ON SCHEMA \(TestDatabase.schema.reports)"),
            ("CREATE SCHEMA other", "GRANT CREATE ON DATABASE"),
            ("CREATE ROLE other", "CREATEROLE"),
            ("SELECT pg_read_file('x')", "GRANT EXECUTE ON FUNCTION pg_read_file TO"),
            ("ALTER SYSTEM SET fsync = off", "docs/operations.md, Privileges"),
        ])
    func kinds(statement: String, advice: String) async throws {
        try await withRole { role, url in
            let error = #expect(throws: PostgresError.self) {
                let connection = try TestDatabase.connect(to: url)
                try connection.execute(script: SQLFile(name: "test/kind", text: statement))
            }
            #expect(error?.sqlState == .insufficientPrivilege)
            #expect(error?.description.contains(advice) == true, "\(String(describing: error))")
            #expect(error?.description.contains(#""\#(role)""#) == true)
        }
    }
}
