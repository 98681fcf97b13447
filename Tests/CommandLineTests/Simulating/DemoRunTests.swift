import ChildPrograms
import Foundation
import Testing

/// The README's first command, as written there.
@Suite struct DemoRunTests {
    @Test(
        "the demo runs to its end by itself, and every number equals the simulated truth",
        .timeLimit(.minutes(40)))
    func wholeWay() async throws {
        let folder = try ThrowawayFolder.create(for: "demo-test")
        defer { try? folder.remove() }
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        // As on many machines in companies: the demo's own server must not be looked for behind the proxy.
        let environment = ProcessInfo.processInfo.environment.merging(["http_proxy": "http://127.0.0.1:9"]) {
            $1
        }
        let demo = try ChildProgram.start(
            programs.appendingPathComponent("landfall"), ["demo"], environment: environment,
            log: folder.url.appendingPathComponent("log"))
        try await demo.waitUntilEnded()
        #expect(
            demo.output.contains("Every number equals what really happened"), "\(demo.output.suffix(500))")
    }
}
