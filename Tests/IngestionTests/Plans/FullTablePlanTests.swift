import Logging
import PostgresClient
import TestDatabase
import Testing

/// The cost of one installation or token must not depend on how many its app has, even if there are no
/// statistics: then the planner expects as many rows of one installation as of one app.
@Suite(.database) struct FullTablePlanTests {
    static let statements: [SQLFile] = [
        .Tokens.findDevices, .Tokens.describeTokens, .Tokens.eraseInstallation, .Tokens.retireExpired,
        .Ingestion.findTokensOfOtherDevices,
    ]

    @Test("reads what it needs of an app with 10,000 tokens, and no index of them all", arguments: statements)
    func lookups(file: SQLFile) async throws {
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.installation (app_id, device_id, first_registered_at, last_registered_at,
                                               last_sign_of_life_at)
            SELECT 1, gen_random_uuid(), now(), now(), now() FROM generate_series(1, 10000)
            """)
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, installation_id, state,
                                        first_seen_at, last_sign_of_life_at, state_changed_at, expires_at)
            SELECT 1, 'apns', 'production', '', sha256(installation_id::text::bytea), 'alert', installation_id, 'active',
                   now(), now(), now(), now()
              FROM landfall.installation
            """)
        var configuration = TestDatabase.current.configuration(size: 1)
        configuration.plansOnce = true
        let pool = PostgresPool(configuration, logger: Logger(label: "test"))
        let types = try await pool.withConnection { connection in
            try PlanNode.prepare(connection)
            try connection.execute(
                script: SQLFile(name: "test/prepare", text: "PREPARE planned AS \(file.text)"))
            let nulls = Array(repeating: "NULL", count: file.parameterCount).joined(separator: ", ")
            return try PlanNode.explain("EXECUTE planned(\(nulls))", on: connection).types
        }
        #expect(types.contains { $0.hasSuffix("Scan") })
        for all in ["BitmapAnd", "Hash Join", "Merge Join", "Seq Scan"] {
            #expect(!types.contains(all), "\(all)")
        }
        try await pool.close()
    }
}

extension PlanNode {
    /// The types of this node and of all below it.
    fileprivate var types: Set<String> {
        (inputs + besides).reduce([type]) { $0.union($1.types) }
    }
}
