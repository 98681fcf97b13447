import Access
import FaultProxy
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

/// `/readyz` is 503 while events cannot be written, and 200 again when they can.
@Suite(.timeLimit(.minutes(40))) struct ReadinessTests {
    private static func event(_ number: Int) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
        "token":"\(tokenValue(number))","topic":"com.example.shop"}
        """
    }

    private static func endSessions(_ database: TestDatabase) async throws {
        // Sessions keep the settings that they began with.
        _ = try? database.connect().execute(
            script: SQLFile(
                name: "test/end",
                text: """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """))
    }

    /// Asks until the response has this code, `nil` for 200: readiness may be a second old, and ended
    /// connections are discovered first.
    @discardableResult
    private static func wait(for code: String?, _ server: TestServer) async throws -> Response {
        while true {
            let response = try await server.send(.get, TestServer.readiness, as: nil)
            if response.code == code, (response.status == 200) == (code == nil) { return response }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Posts until the event is accepted: the first posts discover ended connections and those that had to
    /// wait.
    private static func expectTaken(_ event: String, _ server: TestServer) async throws {
        var response = try await server.post(event)
        for _ in 0..<50 where response.status != 200 {
            try await Task.sleep(for: .milliseconds(200))
            response = try await server.post(event)
        }
        #expect(response.status == 200, "\(response.text)")
    }

    @Test("a database that has become read-only is not ready until it is writable again", .database)
    func readOnly() async throws {
        let database = TestDatabase.current
        try await TestServer.run { server async throws in
            #expect(try await server.send(.get, TestServer.readiness, as: nil).status == 200)
            let setting = "ALTER DATABASE \(database.name) SET default_transaction_read_only"
            try await database.execute(setting + " = on")
            try await Self.endSessions(database)
            let response = try await Self.wait(for: "not_writable", server)
            #expect(response.status == 503)
            #expect(response.detail?.contains("default_transaction_read_only") == true)
            #expect(try await server.post(Self.event(1)).status == 503)
            let back = try database.connect()
            try back.execute(
                script: SQLFile(name: "test/write", text: "SET default_transaction_read_only = off"))
            try back.execute(script: SQLFile(name: "test/back", text: setting + " = off"))
            try await Self.endSessions(database)
            try await Self.wait(for: nil, server)
            try await Self.expectTaken(Self.event(2), server)
        }
    }

    @Test("a server whose PostgreSQL has become a standby is not ready until it is promoted")
    func standby() async throws {
        try await OwnCluster.run { cluster async throws in
            let database = TestDatabase(name: "landfall", url: cluster.url)
            try database.makeCells()
            try await TestDatabase.$current.withValue(database) {
                try await TestServer.run(configure: { $0.use(cluster.url) }) { server async throws in
                    #expect(try await server.send(.get, TestServer.readiness, as: nil).status == 200)
                    try await cluster.beStandbyFromNowOn()
                    try await cluster.end(.fast)
                    try await cluster.start()
                    let response = try await Self.wait(for: "not_writable", server)
                    #expect(response.detail?.contains("standby") == true)
                    #expect(try await server.post(Self.event(1)).status == 503)
                    try TestDatabase.connect(to: cluster.url).execute(
                        script: SQLFile(name: "test/promote", text: "SELECT pg_promote()"))
                    try await Self.wait(for: nil, server)
                    try await Self.expectTaken(Self.event(2), server)
                }
            }
            try await database.close()
        }
    }

    @Test("a server starts on a standby: reports work, and it is ready once the standby is promoted")
    func startsOnStandby() async throws {
        try await OwnCluster.run { cluster async throws in
            let database = TestDatabase(name: "landfall", url: cluster.url)
            try database.makeCells()
            try await TestDatabase.$current.withValue(database) {
                _ = try Migrator().migrate(TestDatabase.connect(to: cluster.url))
                let made = try await TestServer.makeApp("shop")
                try await TestServer.run(made: made) { server async throws in
                    try await Self.expectTaken(Self.event(1), server)
                }
                try await cluster.beStandbyFromNowOn()
                try await cluster.end(.fast)
                try await cluster.start()
                try await TestServer.run(made: made) { server async throws in
                    let response = try await Self.wait(for: "not_writable", server)
                    #expect(response.detail?.contains("standby") == true)
                    let report = try await server.send(.get, "/v1/reports/funnel", as: .report)
                    #expect(report.status == 200, "\(report.text)")
                    #expect(report.text.contains("\"attempted\": 1"), "\(report.text)")
                    #expect(try await server.post(Self.event(2)).status == 503)
                    try TestDatabase.connect(to: cluster.url).execute(
                        script: SQLFile(name: "test/promote", text: "SELECT pg_promote()"))
                    try await Self.wait(for: nil, server)
                    try await Self.expectTaken(Self.event(2), server)
                }
            }
            try await database.close()
        }
    }

    @Test("writing is tried out, and leaves nothing behind", .database)
    func trial() async throws {
        let connection = try TestDatabase.current.connect()
        #expect(try WritingTrouble.announced(on: connection) == nil)
        #expect(try WritingTrouble.tried(on: connection) == nil)
        let left = try connection.query(
            SQLFile(name: "test/left", text: "SELECT to_regclass('pg_temp.landfall_writing_trial') IS NULL"))
        #expect(try left.single().get(0))
        try connection.execute(
            script: SQLFile(name: "test/read", text: "SET default_transaction_read_only = on"))
        #expect(try WritingTrouble.announced(on: connection) == .readOnly)
        #expect(try WritingTrouble.tried(on: connection) == .readOnly)
    }
}
