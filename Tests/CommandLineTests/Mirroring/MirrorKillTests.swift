import ChildPrograms
import Foundation
import PostgresClient
import SQLFiles
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `landfall mirror` as a process that is killed at random points while tokens come, change and are erased.
@Suite struct MirrorKillTests {
    @Test("a mirror that is killed has every token once, in either database", .timeLimit(.minutes(40)))
    func killed() async throws {
        try await MirrorStage.run { stage in
            for _ in 0..<200 { try await stage.change() }
            var (killed, ended) = (0, 0)
            while killed < 24 {
                for place in [stage.file, stage.database] {
                    let mirror = try stage.start(place)
                    let end = ContinuousClock.now + .milliseconds(Int.random(in: 1...900))
                    while ContinuousClock.now < end { try await stage.change() }
                    if mirror.hasEnded { ended += 1 } else { mirror.killAtOnce() }
                    killed += 1
                }
            }
            #expect(ended == 0, "\(stage.log)")
            for place in [stage.file, stage.database] {
                #expect(stage.landfall(place, "--once").status == 0, "\(stage.log)")
            }
            let tokens = try await stage.tokens()
            #expect(tokens.count > 100)
            #expect(Set(tokens.map { $0.components(separatedBy: " ")[2] }) == ["active", "retired"])
            #expect(try stage.rowsOfDatabase() == tokens)
            #expect(try stage.rowsOfFile() == tokens)
        }
    }

    @Test(
        "a second mirror ends with 4, a wrong key with 1, and a signal with its number",
        .timeLimit(.minutes(40)))
    func endings() async throws {
        try await MirrorStage.run { stage in
            for place in [stage.file, stage.database] {
                #expect(stage.landfall(place, "--once", "--key", "lf_server_wrong").status == 1)
                let mirror = try stage.start(place)
                while !stage.log.contains("is in step") { try await Task.sleep(for: .milliseconds(20)) }
                let second = stage.landfall(place, "--once")
                #expect(second.status == 4)
                #expect(second.notes.contains("another landfall mirror keeps device_tokens"))
                kill(mirror.pid, SIGTERM)
                #expect(mirror.waitForExitCode() == 143)
                #expect(stage.landfall(place, "--once").status == 0)
                try FileManager.default.removeItem(at: stage.logFile)
            }
        }
    }
}

/// A server, its private PostgreSQL as a sender's database, and a file as another one.
private struct MirrorStage {
    let folder: URL
    let address: String
    let key: String

    var file: String { "sqlite:\(folder.path)/tokens.db" }
    private var socket: String { folder.appendingPathComponent("data/run").path }
    var database: String { "postgres://landfall@/landfall?host=\(socket)" }
    var logFile: URL { folder.appendingPathComponent("mirror.log") }
    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    static func run(_ body: (MirrorStage) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "mirror")
        defer { try? folder.remove() }
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let server = try await ServerProgram.start(try ServerProgram.executable(), dataFolder: data)
        defer { server.stop() }
        let program = LandfallProgram(folder: folder.url, environment: ["LANDFALL_DATA": data.path])
        try #require(try program.run("app", "create", "shop").status == 0)
        let key = try program.run("key", "create", "--app", "shop", "--kind", "server").output
        try await body(
            MirrorStage(
                folder: folder.url, address: server.address, key: key.trimmingCharacters(in: .newlines)))
    }

    private func arguments(_ place: String) -> [String] { ["mirror", "--to", place, "--server", address] }

    func start(_ place: String) throws -> ChildProgram {
        try ChildProgram.start(
            LandfallProgram.url, arguments(place),
            environment: ServerProgram.environment(dataFolder: folder).merging(["LANDFALL_KEY": key]) { $1 },
            log: logFile)
    }

    func landfall(_ place: String, _ options: String...) -> (status: Int32, notes: String) {
        let program = LandfallProgram(folder: folder, environment: ["LANDFALL_KEY": key])
        let ending = try? program.run(arguments(place) + options)
        return (ending?.status ?? -1, ending?.notes ?? "")
    }

    /// One of 40 devices gets another token or logs out, or another one comes and is erased.
    func change() async throws {
        let device = "0b9c1d5e-8f53-4c6b-9d61-\(String(format: "%012d", Int.random(in: 1...40)))"
        switch Int.random(in: 0..<10) {
        case 0: try await send("DELETE", "/v1/devices/\(device)/tokens")
        case 1: try await send("DELETE", "/v1/devices/\(UUID().uuidString.lowercased())")
        case 2:
            let other = UUID().uuidString.lowercased()
            try await register(other)
            try await send("DELETE", "/v1/devices/\(other)")
        default: try await register(device)
        }
    }

    private func register(_ device: String) async throws {
        let value = (0..<64).map { _ in String(Int.random(in: 0...15), radix: 16) }.joined()
        let token = #"{"value":"\#(value)","kind":"alert","topic":"com.example.shop"}"#
        try await send("PUT", "/v1/devices/\(device)", #"{"platform":"ios","tokens":[\#(token)]}"#)
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        var request = URLRequest(url: try #require(URL(string: address + path)))
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = body.map { Data($0.utf8) }
        return try await URLSession.shared.data(for: request).0
    }

    /// All tokens of the server, in order: number, value, state and device.
    func tokens() async throws -> [String] {
        struct Page: Decodable {
            struct Token: Decodable {
                let tokenId: Int64
                let value: String
                let state: String
                let deviceId: String?
            }
            let tokens: [Token]
            let nextCursor: String?
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let page = try decoder.decode(
            Page.self, from: try await send("GET", "/v1/tokens?state=any&limit=10000"))
        #expect(page.nextCursor == nil)
        return page.tokens.map { "\($0.tokenId) \($0.value) \($0.state) \($0.deviceId ?? "")" }
    }

    private static let rows = """
        SELECT token_id || ' ' || value || ' ' || state || ' ' || coalesce(device_id, '') AS line
        FROM device_tokens ORDER BY token_id
        """

    func rowsOfDatabase() throws -> [String] {
        let connection = try PostgresConnection(url: database)
        return try connection.query(SQLFile(name: "test/rows", text: Self.rows)).map { try $0.get("line") }
    }

    func rowsOfFile() throws -> [String] {
        let program = try #require(ChildProgram.find("python3"))
        let text =
            "import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]"
        let process = Process()
        process.executableURL = program
        process.arguments = ["-c", text, folder.appendingPathComponent("tokens.db").path, Self.rows]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
