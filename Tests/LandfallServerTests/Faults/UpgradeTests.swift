import Access
import AsyncHTTPClient
import ChildPrograms
import DeliveryModel
import Doctor
import FaultProxy
import Foundation
import NIOCore
import NIOHTTP1
import PostgresClient
import Testing

@testable import LandfallServer

/// PostgreSQL's programs and libraries are replaced under the private cluster while it runs.
@Suite(.serialized, .timeLimit(.minutes(40))) struct UpgradeTests {
    private struct PostedStatus {
        let client: PersistentClient

        /// Returns the status for an event whose day has no partition.
        func post(daysAgo: Int64) async -> UInt? {
            let sentAt = Instant.now - .days(daysAgo)
            let event = """
                {"type": "response", "notification_id": "\(UUID())", "provider": "apns", "status": 200, \
                "token": "\(tokenValue(1))", "topic": "com.example.shop", "sent_at": \(sentAt.millisecondsSinceEpoch)}
                """
            return await client.attempt(Array(event.utf8))
        }
    }

    private func ready(_ port: Int) async throws -> (status: UInt, text: String) {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://127.0.0.1:\(port)/readyz"), timeout: .seconds(30))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 16)))
    }

    @Test("the server notices, restarts its cluster, and says so; until then it is not ready")
    func upgraded() async throws {
        let programs = try CopiedPrograms()
        defer { programs.remove() }
        let folder = try ThrowawayFolder.create(for: "upgrade")
        defer { try? folder.remove() }
        let program = try await StartedServer.start(
            database: nil, dataFolder: folder.url, environment: ["LANDFALL_PG_BIN": programs.bin.path])
        do {
            try await upgrade(programs, under: program, in: folder.url)
        } catch {
            _ = program.terminate()
            throw error
        }
        #expect(program.terminate() == 0)
    }

    private func upgrade(
        _ programs: CopiedPrograms, under program: StartedServer, in folder: URL
    ) async throws {
        let keys = try JSONDecoder().decode(
            DemoApp.self, from: Data(contentsOf: folder.appendingPathComponent(DemoApp.fileName)))
        let sender = PostedStatus(client: PersistentClient(key: keys.serverKey, port: { program.port }))
        let socket = folder.appendingPathComponent("run").resolvingSymlinksInPath().path
        let url = "host=\(socket) port=5432 user=landfall dbname=landfall"
        #expect(await sender.post(daysAgo: 1) == 200)
        #expect(try await ready(program.port).status == 200)

        // In the middle of the upgrade new sessions cannot load their libraries.
        try programs.removeLibrary()
        try PostgresConnection(url: url).execute(
            script: SQLFile(
                name: "test/end",
                text: """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                    """))
        #expect(await sender.post(daysAgo: 20) == 503)
        // The readiness may be a second old.
        var broken = try await ready(program.port)
        while !broken.text.contains("not_writable") {
            try await Task.sleep(for: .milliseconds(100))
            broken = try await ready(program.port)
        }
        #expect(broken.status == 503)
        #expect(broken.text.contains("58P01"), "\(broken.text)")

        try programs.upgrade()
        func version() -> String? {
            let row = try? PostgresConnection(url: url).query(.Administration.condition).single()
            return try? row?.get("server_version")
        }
        while version() != programs.upgradedVersion { try await Task.sleep(for: .milliseconds(200)) }
        while await sender.post(daysAgo: 30) != 200 { try await Task.sleep(for: .milliseconds(200)) }
        while try await ready(program.port).status != 200 { try await Task.sleep(for: .milliseconds(200)) }

        let connection = try PostgresConnection(url: url)
        while try connection.conditions(.clusterRestarted, as: ClusterRestart.self).isEmpty {
            try await Task.sleep(for: .milliseconds(100))
        }
        let findings = try DoctorReport.run(
            for: AppDirectory(connection).apps(), on: connection, now: .now
        ).patients.flatMap(\.findings)
        let finding = try #require(findings.first { $0.id == .clusterRestarted })
        #expect(finding.sentence.contains(programs.upgradedVersion))
    }
}
