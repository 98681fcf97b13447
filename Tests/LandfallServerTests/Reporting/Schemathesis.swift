import AsyncHTTPClient
import ChildPrograms
import Foundation
import NIOCore

/// Generates requests from `/openapi.yaml`, sends them, and checks the responses.
enum Schemathesis {
    /// Checks the operations with these tags on the server at a port, with one key.
    static func check(port: Int, key: String, tags: [String]) async throws -> PythonTools.Ending {
        let folder = try ThrowawayFolder.create(for: "schemathesis")
        defer { try? folder.remove() }
        let server = "http://127.0.0.1:\(port)"
        // Schemathesis waits ten seconds for a description that it loads itself.
        let description = folder.url.appendingPathComponent("openapi.yaml")
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(server)/openapi.yaml"), timeout: .minutes(5))
        try await Data(response.body.collect(upTo: 1 << 20).readableBytesView).write(to: description)
        let settings = PythonTools.folder.appendingPathComponent("schemathesis.toml")
        return try await PythonTools.run(
            "schemathesis",
            ["--config-file", settings.path, "run", description.path, "--url", server]
                + tags.flatMap { ["--include-tag", $0] },
            in: folder.url, environment: ["LANDFALL_TEST_KEY": key])
    }
}
