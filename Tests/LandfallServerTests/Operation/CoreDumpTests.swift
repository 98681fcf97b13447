import Foundation
import TestDatabase
import Testing

#if os(Linux)
    /// The server's memory holds token values.
    @Suite(.database) struct CoreDumpTests {
        /// `Max core file size         1                    1                    bytes`
        private func limit(of process: String) throws -> [Substring] {
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            return try #require(line).split(separator: " ").suffix(3)
        }

        @Test("the server leaves no core dump, unless a setting allows it", arguments: [false, true])
        func coreDumps(areAllowed: Bool) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "landfall-core-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try await StartedServer.start(
                database: TestDatabase.current.url, dataFolder: folder,
                environment: ["LANDFALL_CORE_DUMPS": String(areAllowed)])
            defer { server.kill() }
            let limit = try limit(of: String(server.processID))
            #expect(limit == (areAllowed ? try self.limit(of: "self") : ["1", "1", "bytes"]))
        }
    }
#endif
