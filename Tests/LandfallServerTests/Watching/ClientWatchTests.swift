import DeliveryModel
import Doctor
import Logging
import PostgresClient
import TestDatabase
import Testing

@testable import Access
@testable import LandfallServer

@Suite(.database) struct ClientWatchTests {
    /// What a server notes about its clients is in cell 0.
    private let database = TestDatabase.current.front

    @discardableResult
    private func makeApp() async throws -> App {
        try await database.pool.withConnection { try AppDirectory($0).createApp(slug: "shop", at: .now) }
    }

    private func findings() async throws -> [Finding] {
        try await database.pool.withConnection { connection in
            let apps = try AppDirectory(connection).apps()
            return try DoctorReport.run(
                for: apps, examinesServer: false, on: connection, now: try connection.clock()
            ).patients.flatMap(\.findings)
        }
    }

    private func watch(_ body: (ClientWatch, ServerMetrics) async throws -> Void) async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        try await body(ClientWatch(backend: backend, logger: logger), backend.metrics)
        try await backend.close()
    }

    @Test("the doctor reports requests without a credential, if they are more than a few")
    func credentials() async throws {
        try await makeApp()
        try await watch { watch, metrics async throws in
            var seen = ClientWatch.Seen()
            for _ in 0..<19 { metrics.registrations.rejectedForCredential() }
            await watch.look(&seen)
            #expect(try await findings().isEmpty)
            for _ in 0..<20 { metrics.registrations.rejectedForCredential() }
            await watch.look(&seen)
            let found = try await findings()
            #expect(found.map(\.id) == [.credentialsMissing])
            #expect(found.first?.sentence.contains("20 requests of devices got 403") == true)
        }
    }

    @Test(
        "the doctor reports connections closed for their address since the last look")
    func crowded() async throws {
        try await makeApp()
        try await watch { watch, metrics async throws in
            var seen = ClientWatch.Seen()
            metrics.connections.closed(.gaveWay)
            await watch.look(&seen)
            #expect(try await findings().isEmpty)
            for _ in 0..<3 { metrics.connections.closed(.tooManyFromAddress) }
            await watch.look(&seen)
            #expect(seen.closed == 3)
            metrics.connections.closed(.tooManyFromAddress)
            await watch.look(&seen)
            #expect(seen.closed == 4)
            let finding = try #require(try await findings().first { $0.id == .crowdedAddress })
            #expect(finding.sentence.contains("closed 1 connection within"), "\(finding.sentence)")
            try await database.execute(
                "UPDATE landfall.database_condition SET noted_at = noted_at - interval '11 minutes'")
            #expect(try await findings().isEmpty)
        }
    }

    @Test("the doctor names the statements that took too long, whichever side canceled them")
    func slowStatements() async throws {
        try await makeApp()
        try await watch { watch, metrics async throws in
            var seen = ClientWatch.Seen()
            let errors: [PostgresError] = [
                .server(
                    sqlState: .queryCanceled, message: "",
                    statement: "ingestion/deliveries/record_deliveries"),
                .timedOut(statement: "tokens/addresses/discover_tokens"),
                .connectionLost(statement: "tokens/ledger/read_tokens"),
                .server(
                    sqlState: .queryCanceled, message: "",
                    statement: "ingestion/deliveries/record_deliveries"),
            ]
            for error in errors { metrics.statementTimeouts.met(error) }
            await watch.look(&seen)
            let finding = try #require(try await findings().first { $0.id == .slowStatements })
            #expect(
                finding.sentence
                    == "3 statements took longer than database.statement_timeout within the last day: "
                    + "ingestion/deliveries/record_deliveries (2) and tokens/addresses/discover_tokens (1).")
        }
    }

    @Test("the doctor names every secret key that a page used, for a day")
    func secretKeys() async throws {
        let app = try await makeApp()
        try await watch { watch, metrics async throws in
            var seen = ClientWatch.Seen()
            for (keyID, kind) in [(7, APIKey.Kind.server), (8, .report), (7, .server)] {
                metrics.browsers.request(
                    .secretKey, with: Credential(keyID: Int64(keyID), kind: kind, app: app))
            }
            metrics.browsers.request(.allowed, with: Credential(keyID: 9, kind: .device, app: app))
            await watch.look(&seen)
            let found = try await findings().filter { $0.id == .keyInBrowser }
            #expect(
                found.map(\.sentence) == [
                    "A page in a browser used the server key 7 of app shop.",
                    "A page in a browser used the report key 8 of app shop.",
                ])
            #expect(found.first?.commandLine == "landfall key revoke 7 --app shop")
            try await database.execute(
                "UPDATE landfall.database_condition SET noted_at = noted_at - interval '25 hours'")
            // Without another use the note stays as old as it is.
            await watch.look(&seen)
            #expect(try await findings().isEmpty)
        }
    }
}
