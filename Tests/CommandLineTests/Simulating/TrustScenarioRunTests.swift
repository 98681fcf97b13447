import ChildPrograms
import Foundation
import Testing

/// The scenarios in which devices post themselves, against a server of their own, as an operator would run them.
@Suite struct TrustScenarioRunTests {
    /// One app for each scenario, because a check counts everything in its app.
    private static let script = """
        for scenario in carrier stolen-key receipt-rotation; do
          landfall app create $scenario
          export LANDFALL_KEY=$(landfall key create --app $scenario --kind server)
          export LANDFALL_DEVICE_KEY=$(landfall key create --app $scenario --kind device)
          export LANDFALL_RECEIPT_KEYS=
          if [ $scenario = receipt-rotation ]; then
            LANDFALL_RECEIPT_KEYS="$(landfall key create --app $scenario --kind receipt) $(landfall key create --app $scenario --kind receipt)"
            landfall app set --app $scenario receipts required
          fi
          echo "Simulating $scenario"
          landfall simulate --server SERVER --scenario $scenario --installations 120 --check
        done
        landfall verify
        echo "All scenarios ended"
        """

    @Test("every number equals the truth, whatever an attacker posts meanwhile", .timeLimit(.minutes(40)))
    func run() async throws {
        let folder = try ThrowawayFolder.create(for: "trust-scenarios")
        defer { try? folder.remove() }
        let programs = LandfallProgram.url.deletingLastPathComponent()
        var environment = ProcessInfo.processInfo.environment
        environment["LANDFALL_DATA"] = folder.url.path
        environment["PATH"] = programs.path + ":" + (environment["PATH"] ?? "")
        let server = try ChildProgram.start(
            programs.appendingPathComponent("landfall-server"), ["serve", "--port", "0"],
            environment: environment, log: folder.url.appendingPathComponent("log"))
        defer { _ = server.end(patience: .seconds(20)) }
        var address: Substring?
        while address == nil, !server.hasEnded {
            try await Task.sleep(for: .milliseconds(50))
            address = server.output.firstMatch(of: /listens on (http:\/\/127\.0\.0\.1:\d+)\n/)?.1
        }
        let script = Self.script.replacing("SERVER", with: try #require(address, "\(server.output)"))
        let shell = try ChildProgram.start(
            URL(fileURLWithPath: "/bin/bash"), ["-euo", "pipefail", "-c", script], environment: environment,
            log: folder.url.appendingPathComponent("shell"))
        try await shell.waitUntilEnded()
        let runs = shell.output.components(separatedBy: "Simulating ").dropFirst()
        // The shell stops at the first command that fails, which includes a number that differs from the truth.
        #expect(runs.count == 3 && shell.output.hasSuffix("All scenarios ended\n"), "\(shell.output)")
        let forged = runs.filter { $0.contains("What the server did with the attacker's requests") }
        #expect(forged.count == 1 && forged.allSatisfy { $0.hasPrefix("stolen-key") })
    }
}
