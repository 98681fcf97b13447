import ArgumentParser
import Basics
import Foundation
import Simulation
import Testing

@testable import Dashboards

@Suite("landfall simulate")
struct SimulateCommandTests {
    /// Runs the command without posting and returns what it wrote.
    private func written(_ arguments: [String]) async throws -> (events: String, truth: Data) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "simulate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let events = folder.appendingPathComponent("events.ndjson")
        let truth = folder.appendingPathComponent("truth.json")
        let command = try SimulateCommand.parse(
            ["--no-post", "--output", events.path, "--truth", truth.path, "--installations", "60"] + arguments
        )
        try await command.run()
        return (try String(contentsOf: events, encoding: .utf8), try Data(contentsOf: truth))
    }

    @Test("writes one JSON object per line, the same for the same seed, another for another")
    func output() async throws {
        let day = ["--start", "2026-03-01"]
        let first = try await written(day + ["--seed", "7"])
        #expect(first.events.hasSuffix("\n"))
        let lines = first.events.split(separator: "\n")
        #expect(lines.count > 300)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["type"] is String)
            #expect(object?["notification_id"] is String)
        }
        #expect(try await written(day + ["--seed", "7"]) == first)
        #expect(try await written(day + ["--seed", "8"]).events != first.events)
    }

    @Test("writes the simulated truth as JSON that can be read again")
    func truth() async throws {
        let document = try await written(["--start", "2026-03-01T00:00:00Z", "--hours", "12"]).truth
        let truth = try JSONDecoder().decode(SimulatedTruth.self, from: document)
        #expect(truth.windowStart == 1_772_323_200_000)
        #expect(truth.windowEnd == truth.windowStart + 12 * 3_600_000)
        #expect(truth.totals.attempted > 0)
    }

    @Test("prints the doctor command for a scenario in the past")
    func doctor() throws {
        let command = { (arguments: [String]) throws -> String? in
            let simulate = try SimulateCommand.parse(["--no-post"] + arguments)
            let settings = simulation(of: simulate)
            return simulate.simulation.doctorCommand(
                before: settings.start + Int64(settings.hours) * 3_600_000, app: simulate.options.app,
                now: Instant(millisecondsSinceEpoch: 1_772_582_400_000))
        }
        #expect(
            try command(["--scenario", "wrong-host", "--start", "2026-03-01", "--hours", "48"])
                == "landfall doctor --as-of 2026-03-03T00:00:00Z")
        #expect(
            try command(["--scenario", "healthy", "--start", "2026-03-01", "--app", "shop"])
                == "landfall doctor --app shop --as-of 2026-03-02T00:00:00Z")
        #expect(try command(["--scenario", "healthy", "--start", "2026-03-04"]) == "landfall doctor")
        #expect(try command(["--start", "2026-03-01"]) == nil)
    }

    private func simulation(of command: SimulateCommand) -> SimulationSettings {
        command.simulation.settings(now: .now)
    }

    @Test(
        "reads where the window begins",
        arguments: [
            ("2026-03-01", 1_772_323_200_000), ("2026-03-01T01:00:00+01:00", 1_772_323_200_000),
        ] as [(String, Int64)])
    func start(text: String, expected: Int64) throws {
        #expect(
            try SimulateCommand.parse(["--no-post", "--start", text]).simulation.settings(now: .now).start
                == expected)
    }

    @Test(
        "ends by default with the last complete quarter hour, and no event is in the future",
        arguments: [("09:30:00Z", "09:30:00Z", 0), ("09:44:59Z", "09:30:00Z", 0)] as [(String, String, Int)])
    func defaultEnd(time: String, expected: String, late: Int) throws {
        let (now, end) = (instant("2026-03-01T\(time)"), instant("2026-03-01T\(expected)"))
        let settings = try SimulateCommand.parse(["--no-post", "--hours", "30"]).simulation.settings(now: now)
        #expect(settings.start == (end - .hours(30)).millisecondsSinceEpoch)
        #expect(settings.lateEventHours == late)
        let last = TrafficSimulation.generate(settings).steps.map(\.at).max() ?? .max
        #expect(last <= now.millisecondsSinceEpoch)
        #expect(last > (end - .hours(1)).millisecondsSinceEpoch)
    }

    @Test(
        "posts late events only as far as time has passed",
        arguments: [
            (["--end", "2026-02-28"], "2026-02-27", 33), (["--start", "2026-02-28"], "2026-02-28", 9),
            (["--end", "2026-02-01T12:00:00Z", "--hours", "12"], "2026-02-01", 48),
        ] as [([String], String, Int)])
    func chosenEnd(arguments: [String], start: String, late: Int) throws {
        let settings = try SimulateCommand.parse(["--no-post"] + arguments).simulation
            .settings(now: instant("2026-03-01T09:44:59Z"))
        #expect(settings.start == instant("\(start)T00:00:00Z").millisecondsSinceEpoch)
        #expect(settings.lateEventHours == late)
    }

    private func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? .now }

    @Test(
        "rejects impossible options before it does anything",
        arguments: [
            [], ["--key", ""], ["--no-post", "--installations", "0"], ["--no-post", "--hours", "-1"],
            ["--no-post", "--campaigns", "-1"], ["--no-post", "--start", "yesterday"],
            ["--no-post", "--start", "2099-01-01"], ["--no-post", "--end", "2099-01-01"],
            ["--no-post", "--start", "2026-03-01", "--end", "2026-03-02"], ["--no-post", "--patience", "-1"],
            ["--key", "lf_server_x", "--server", "localhost:8080"], ["--key", "lf_device_x"],
            ["--key", "lf_server_x", "--server", "ftp://localhost"],
            ["--no-post", "--seed", "-1"], ["--no-post", "--scenario", "sad-day"],
        ])
    func rejected(arguments: [String]) {
        #expect(throws: (any Error).self) { try SimulateCommand.parse(arguments) }
    }

    @Test("accepts the key as an option")
    func key() throws {
        #expect(try SimulateCommand.parse(["--key", "lf_server_x"]).posting.chosenKey == "lf_server_x")
    }
}
