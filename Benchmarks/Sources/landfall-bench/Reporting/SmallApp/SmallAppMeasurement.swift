internal import ChildPrograms
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient

/// Creates a week of a small app with the programs that people use, and then times the commands of
/// `landfall`, each as a whole.
///
/// `landfall simulate` posts the week to `landfall-server`. Autovacuum is off, so the tables have no
/// statistics.
struct SmallAppMeasurement {
    let repetitions: Int

    private static let days = 7
    private static let installations = 560
    private static let campaigns = 40
    private static let app = "small"

    /// The commands that people type, of those that read a report.
    private static let commands: [String] = [
        "funnel", "funnel --by day", "funnel --by campaign", "funnel --by app_version",
        "funnel --compare previous", "clicks --by day", "loss", "loss --by campaign", "rejections",
        "extension",
        "latency", "latency --by app_version", "reach", "reach --by day", "tokens status",
        "tokens waterfall --by day", "tokens zombies", "tokens deaths", "doctor", "doctor --hours 144", "",
        "verify",
    ]

    func run() async throws -> (postgres: String, app: SmallApp) {
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            note("starting a private PostgreSQL without autovacuum in \(folder.url.path)")
            let cluster = try folder.startDatabase(isDurable: true, settings: ["autovacuum": "off"])
            return try await ending({ try folder.end(cluster) }) {
                let server = try await ServerProgram.start(
                    ServerProgram.executable(), dataFolder: folder.url)
                return try await ending({ server.stop() }) {
                    try fill(folder.url, server: server.address)
                    let connection = try PostgresConnection(url: cluster.connectionURL)
                    let version: String = try connection.query(.Bench.serverVersion).single().get("version")
                    let counted = try connection.query(.Bench.countNotifications).single()
                    return (
                        version, try measure(folder.url, notifications: try counted.get("notification_count"))
                    )
                }
            }
        }
    }

    private func fill(_ folder: URL, server: String) throws {
        note("simulating \(Self.days) days of a small app")
        try run(["app", "create", Self.app], in: folder)
        let key = try run(["key", "create", "--app", Self.app, "--kind", "server"], in: folder)
        try run(
            [
                "simulate", "--app", Self.app, "--server", server, "--key",
                key.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("lf_") }.map(String.init)
                    ?? "",
                "--hours", String(24 * Self.days), "--installations", String(Self.installations),
                "--campaigns", String(Self.campaigns),
            ], in: folder)
    }

    private func measure(_ folder: URL, notifications: Int64) throws -> SmallApp {
        let start = try milliseconds(["app", "list"], in: folder)
        let reports = try Self.commands.map { command in
            note("measuring landfall \(command)")
            return SmallApp.Measured(
                title: command.isEmpty ? "(today)" : command,
                milliseconds: try milliseconds(Self.words(command), in: folder))
        }
        return SmallApp(notifications: notifications, start: start, reports: reports)
    }

    private static func words(_ command: String) -> [String] {
        let words = command.split(separator: " ").map(String.init)
        switch words.first {
        case "verify": return words
        case nil, "doctor", "tokens": return words + ["--app", app]
        // The simulated days may end two days ago.
        default: return words + ["--app", app, "--from", "\(days + 2)d"]
        }
    }

    /// The median, after one run that is not timed.
    private func milliseconds(_ words: [String], in folder: URL) throws -> Double {
        try run(words, in: folder)
        var times: [Double] = []
        for _ in 0..<repetitions {
            let start = ContinuousClock.now
            try run(words, in: folder)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times.median ?? 0
    }

    /// - Returns: the output of the program.
    @discardableResult
    private func run(_ words: [String], in folder: URL) throws -> String {
        let log = folder.appendingPathComponent("landfall-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let program = try ChildProgram.start(
            ServerProgram.executable("landfall"), words,
            environment: ServerProgram.environment(dataFolder: folder), log: log)
        // `landfall doctor` exits with 1 if it finds a problem, as it does in some of the simulated traffic.
        guard let code = program.waitForExitCode(), code == 0 || code == 1 && words.first == "doctor" else {
            throw BenchProblem.commandFailed(words: words, output: program.lastLines)
        }
        return program.output
    }
}
