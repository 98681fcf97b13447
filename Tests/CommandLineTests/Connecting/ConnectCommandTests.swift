import Basics
import ChildPrograms
import Connecting
import Foundation
import Testing

@testable import Dashboards

/// `landfall connect` as a program, next to a real server.
@Suite("landfall connect", .serialized, .timeLimit(.minutes(40))) struct ConnectCommandTests {
    private let id = "7a0e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f"

    private var response: String {
        #"{"type":"response","notification_id":"\#(id)","sent_at":\#(now),"provider":"apns","status":200,"#
            + #""token":"80f4d1a6c3","topic":"com.example.shop"}"#
    }

    private var arrival: String {
        #"{"type":"arrival","notification_id":"\#(id)","occurred_at":\#(now),"reported_at":\#(now)}"#
    }

    private var now: Int64 { Instant.now.millisecondsSinceEpoch }

    @Test("prints what arrives and what is wrong with it, and ends once response and arrival have met")
    func meeting() async throws {
        try await ConnectStage.run { stage in
            let waiting = try stage.begin("curl", "--key", stage.key, "--timeout", "3600")
            try await waiting.wait(for: "Waiting for events of demo for 3600 s")
            try await stage.post(#"{"type":"response","provider":"apns","status":200,"token":"80f4d1a6c3"}"#)
            try await waiting.wait(for: "rejected (missing_notification_id, posted by a sender)")
            try await stage.post(response)
            try await waiting.wait(for: "\(id): ")
            try await waiting.wait(for: "Fix: Let the app register at launch")
            #expect(waiting.isRunning)
            try await stage.post(arrival)
            #expect(try await waiting.status() == 0, "\(waiting.output)")
            for words in [
                "\(stage.address)/v1/events", "accepted, arrived after", "  attempted   1", "  clicked     0",
                "landfall explain notification \(id)",
            ] { #expect(waiting.output.contains(words), "\(words)\n\(waiting.output)") }
            #expect(!waiting.output.contains("80f4d1a6c3"))
        }
    }

    @Test("fails with what is missing when the time is up, and sums up what was seen after Ctrl-C")
    func endings() async throws {
        try await ConnectStage.run { stage in
            let vain = try stage.begin("curl", "--key", stage.key, "--timeout", "1")
            #expect(try await vain.status() == 1)
            #expect(vain.output.contains("Nothing has arrived: check that the sender reaches this address"))
            let stopped = try stage.begin("curl", "--key", stage.key)
            try await stopped.wait(for: "Waiting for events of demo for 600 s")
            try await stage.post(response)
            try await stopped.wait(for: "\(id): ")
            stopped.interrupt()
            #expect(try await stopped.status() == 130)
            #expect(stopped.output.contains("no device event of the same notification"))
        }
    }

    @Test("creates a key of the sender's kind, a device key if the app has none, and says so")
    func keys() async throws {
        try await ConnectStage.run { stage in
            #expect(try stage.landfall("app", "create", "fresh").status == 0)
            let first = try stage.landfall("connect", "gorush", "--app", "fresh", "--no-wait")
            #expect(first.status == 0 && first.notes.contains("Save what is above now"))
            #expect(first.notes.contains(#/Created the hook key lf_hook_\w/#))
            #expect(first.output.contains("feedback_hook_url: \"\(stage.address)/v1/intake/gorush\""))
            let key = try #require(first.output.firstMatch(of: #/Bearer (lf_hook_[\w-]+)/#).map { $0.1 })
            #expect(first.output.contains(#/LandfallDeviceKey  lf_device_[\w-]+/#))
            let again = try stage.landfall(
                "connect", "gorush", "--app", "fresh", "--no-wait", "--key", String(key))
            #expect(again.status == 0 && again.output.contains(key) && !again.notes.contains("Created"))
            let foreign = try stage.landfall(
                "connect", "gorush", "--app", "demo", "--no-wait", "--key", String(key))
            #expect(foreign.status == 1 && foreign.notes.contains("a valid hook key of demo"))
            let second = try stage.landfall(
                "connect", "aioapns", "--app", "fresh", "--no-wait", "--server", "https://push.example.com/")
            #expect(second.output.contains("\"https://push.example.com\"") && !second.output.contains(key))
            #expect(!second.output.contains("lf_device_"))
            let list = try stage.landfall("key", "list", "--app", "fresh", "--csv").output
            #expect(list.split(separator: "\r\n").count == 4, "\(list)")
        }
    }

    @Test("uses the key in LANDFALL_KEY if it fits, and otherwise says why not")
    func knownKey() async throws {
        try await ConnectStage.run { stage in
            let known = stage.with(knownKey: stage.key)
            let used = try known.landfall("connect", "curl", "--no-wait")
            #expect(used.output.contains(stage.key) && !used.notes.contains("Created the server key"))
            let hook = try known.landfall("connect", "sns", "--no-wait")
            #expect(hook.output.contains("?key=lf_hook_") && !hook.output.contains(stage.key))
            #expect(hook.notes.contains("LANDFALL_KEY is not a valid hook key of demo."))
            #expect(hook.notes.contains("Created the hook key"))
            let stray = stage.with(knownKey: "lf_server_" + String(repeating: "x", count: 43))
            let created = try stray.landfall("connect", "curl", "--no-wait")
            #expect(created.notes.contains("LANDFALL_KEY is not a valid server key of demo."))
        }
    }

    @Test("names the senders if none or an unknown one is named, before a database is opened")
    func names() throws {
        let folder = try ThrowawayFolder.create(for: "connect")
        defer { try? folder.remove() }
        let program = LandfallProgram(folder: folder.url)
        let none = try program.run("connect")
        #expect(none.status == 64 && none.notes.contains("aioapns, firebase-admin, pywebpush"))
        let unknown = try program.run("connect", "gorsh")
        #expect(unknown.status == 64 && unknown.notes.contains("did you mean 'gorush'?"))
        for arguments in [["--timeout", "0"], ["--key", "lf_device_x"], ["--server", "push.example.com"]] {
            #expect(try program.run(["connect", "curl"] + arguments).status == 64, "\(arguments)")
        }
    }

    @Test("accepts the number of a sender in its list")
    func chosen() {
        #expect(SenderQuestion.chosen("1")?.name == "aioapns")
        #expect(SenderQuestion.chosen("gorush")?.name == "gorush")
        #expect(SenderQuestion.chosen("0") == nil && SenderQuestion.chosen("") == nil)
    }
}

/// A server with its own database, and the program that connects a sender to it.
private struct ConnectStage {
    let folder: URL
    let address: String
    let key: String
    private let environment: [String: String]

    static func run(_ body: (ConnectStage) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "connect")
        defer { try? folder.remove() }
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let server = try await ServerProgram.start(try ServerProgram.executable(), dataFolder: data)
        defer { server.stop() }
        let environment = ["LANDFALL_DATA": data.path]
        let program = LandfallProgram(folder: folder.url, environment: environment)
        let key = try program.run("key", "create", "--kind", "server").output
        try await body(
            ConnectStage(
                folder: folder.url, address: server.address, key: key.trimmingCharacters(in: .newlines),
                environment: environment))
    }

    func with(knownKey: String) -> ConnectStage {
        ConnectStage(
            folder: folder, address: address, key: key,
            environment: environment.merging(["LANDFALL_KEY": knownKey]) { $1 })
    }

    func landfall(_ arguments: String...) throws -> LandfallProgram.Ending {
        try LandfallProgram(folder: folder, environment: environment).run(arguments)
    }

    func begin(_ arguments: String...) throws -> RunningConnect {
        try RunningConnect(
            ["connect"] + arguments, environment, log: folder.appendingPathComponent("\(UUID())"))
    }

    func post(_ item: String, key: String? = nil) async throws {
        try await IngestionClient.with(server: address, key: key ?? self.key, patience: .seconds(600)) {
            client in
            for post in EventPost.posts(of: [Array(item.utf8)], first: 0) { _ = try await client.post(post) }
        }
    }
}

/// A command that is waiting. It ends by itself, or after ``interrupt()``.
private struct RunningConnect {
    private let process = Process()
    private let log: URL

    init(_ arguments: [String], _ environment: [String: String], log: URL) throws {
        self.log = log
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = LandfallProgram.url
        process.arguments = arguments
        process.environment = environment.merging(
            ProcessInfo.processInfo.environment.filter { ["PATH", "LANDFALL_PG_BIN"].contains($0.key) }
        ) { $1 }.merging(["NO_COLOR": "1", "HOME": log.deletingLastPathComponent().path]) { $1 }
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
    var isRunning: Bool { process.isRunning }

    /// Waits until the program has printed this. The test fails if it ends before.
    func wait(for words: String) async throws {
        while !output.contains(words) {
            try #require(process.isRunning || output.contains(words), "\(words)\n\(output)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func status() async throws -> Int32 {
        while process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        return process.terminationStatus
    }

    func interrupt() { process.interrupt() }
}
