import ChildPrograms
import Foundation

/// Generates requests from `/openapi.yaml`, sends them, and checks the responses.
enum Schemathesis {
    /// Checks the operations with these tags on the server at a port, with one key.
    static func check(port: Int, key: String, tags: [String]) async throws -> PythonTools.Ending {
        let folder = try ThrowawayFolder.create(for: "schemathesis")
        defer { try? folder.remove() }
        let settings = PythonTools.folder.appendingPathComponent("schemathesis.toml")
        return try await PythonTools.run(
            "schemathesis",
            ["--config-file", settings.path, "run", "http://127.0.0.1:\(port)/openapi.yaml"]
                + tags.flatMap { ["--include-tag", $0] },
            in: folder.url, environment: ["LANDFALL_TEST_KEY": key])
    }
}
