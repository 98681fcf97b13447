import Access
import ChildPrograms
import Foundation
import HummingbirdTesting
import TestDatabase
import Testing

/// Generators can read the description, and the resulting client works.
@Suite("A client generated from the API description", .database, .timeLimit(.minutes(40)))
struct GeneratedClientTests {
    private struct Read: Decodable, Equatable {
        let campaign: String
        let attempted: Int
        let accepted: Int
        let authError: Int
        let arrived: Int
        let clicked: Int
        let dismissed: Int
        let acceptance: Double
        let asOf: Bool
    }

    @Test("has a class for every event and report, posts the events and reads the reports")
    func client() async throws {
        let folder = try ThrowawayFolder.create(for: "client")
        defer { try? folder.remove() }
        try await TestServer.run { server async throws in
            let url = "http://127.0.0.1:\(server.port)"
            let generated = try await PythonTools.run(
                "openapi-python-client",
                [
                    "generate", "--path", OpenAPIDocument.file.path, "--meta", "none", "--output-path",
                    folder.url.appendingPathComponent("landfall_client").path, "--fail-on-warning",
                ], in: folder.url)
            #expect(generated.isFine, "\(generated.output)")
            let script = PythonTools.folder.appendingPathComponent("generated-client.py")
            let used = try await PythonTools.run(
                "python",
                [script.path, folder.url.path, url] + [
                    server.keys[.server] ?? "", server.keys[.report] ?? "",
                ],
                in: folder.url)
            #expect(used.isFine, "\(used.output)")
            let line = try #require(used.output.split(separator: "\n").last { $0.hasPrefix("{") })
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            #expect(
                try decoder.decode(Read.self, from: Data(line.utf8))
                    == Read(
                        campaign: "spring", attempted: 2, accepted: 1, authError: 1, arrived: 1, clicked: 1,
                        dismissed: 1, acceptance: 0.5, asOf: true))
        }
    }
}
