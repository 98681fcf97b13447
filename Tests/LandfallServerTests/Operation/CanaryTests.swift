import Access
import ChildPrograms
import Foundation
import Hummingbird
import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import Vault

@testable import EmbeddedPostgres
@testable import LandfallServer

/// One device token goes through everything, and is found nowhere.
@Suite(.database) struct CanaryTests {
    private static let canary = "c0ffee5e" + String(repeating: "0d15ea5e", count: 7)
    private static let deviceID = UUID()

    /// Every possible spelling: hex in either case, base64 of its digits and of its bytes, hex of its digits.
    private static let spellings: [String] = {
        let bytes = stride(from: 0, to: canary.count, by: 2).map { offset in
            UInt8(canary.dropFirst(offset).prefix(2), radix: 16) ?? 0
        }
        let digits = canary.utf8.map { String($0, radix: 16) }.joined()
        let base64 = [Data(canary.utf8), Data(bytes)].map { String($0.base64EncodedString().dropLast(4)) }
        return [canary, canary.uppercased(), digits] + base64
    }()

    /// All output, by place.
    private final class Seen: Sendable {
        private let texts = Mutex<[(place: String, text: String)]>([])

        func note(_ text: String, in place: String) { texts.withLock { $0.append((place, text)) } }
        func contains(_ text: String) -> Bool { texts.withLock { $0.contains { $0.text.contains(text) } } }
        func places(of text: String) -> [String] {
            texts.withLock { $0.filter { $0.text.contains(text) }.map(\.place) }
        }
    }

    private let seen = Seen()
    private let keyText = Data((1...32).map { UInt8($0) }).base64EncodedString()
    private let nextKeyText = Data((2...33).map { UInt8($0) }).base64EncodedString()

    private func logger(_ seen: Seen) -> Logger {
        var logger = Logger(label: "landfall") { label in
            LineLogHandler(label: label, isJSON: false) { seen.note($0, in: "the log") }
        }
        logger.logLevel = .trace
        return logger
    }

    private func response(_ number: Int, status: Int, _ more: String = "") -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":\(status),\
        "topic":"com.example.shop","token":"\(Self.canary)"\(more)}
        """
    }

    private func useHTTP(_ server: TestServer) async throws {
        let canary = Self.canary
        func note(_ response: Response, _ status: Int, _ place: String) {
            #expect(response.status == status, "\(place)")
            seen.note(response.text + "\(response.headers)", in: "the response to \(place)")
        }
        let registration =
            #"{"tokens":[{"value":"\#(canary.uppercased())","topic":"com.example.shop"}],"permission":"authorized"}"#
        note(try await server.put(Self.deviceID, registration), 200, "a registration")
        for (body, status) in [
            (#"{"tokens":[{"value":"\#(canary)x"}]}"#, 200),
            (#"{"tokens":[{"value":"\#(canary)","kind":"\#(canary)"}]}"#, 200),
            (#"{"tokens":["\#(canary)"]}"#, 200), (#"{"tokens":\#(canary)"#, 400),
            (#"{"permission":"\#(canary)"}"#, 200),
        ] {
            // A bad token costs nothing else of a registration.
            note(try await server.put(Self.deviceID, body), status, "a bad registration")
        }
        let responses = [
            response(1, status: 200), response(2, status: 400, #","reason":"BadDeviceToken""#),
            response(
                3, status: 410,
                #","reason":"Unregistered","timestamp":\#(Instant.now.millisecondsSinceEpoch)"#),
            response(4, status: 999_999), #"{"type":"\#(canary)","token":"\#(canary)"}"#,
            #"{"type":"response","notification_id":"\#(canary)","token":"\#(canary)"}"#,
            response(5, status: 200, #","environment":"\#(canary)""#),
            response(6, status: 200, #","sent_at":"\#(canary)""#),
            response(7, status: 200, #","priority":{"\#(canary)":1}"#),
            response(8, status: 200, #","token":["\#(canary)"]"#),
            String(response(9, status: 200).dropLast()) + #","timestamp":"\#(canary)"}"#,
        ]
        note(try await server.post("[" + responses.joined(separator: ",") + "]"), 200, "responses")
        note(
            try await server.post(
                responses[0] + "\n{\(canary)\n", headers: [.contentType: "application/x-ndjson"]), 200,
            "broken lines")
        note(try await server.post(responses[3]), 422, "one bad response")
        note(try await server.post(responses[0], as: .device), 422, "an response with a device key")
        note(try await server.post("\(canary)"), 400, "no JSON")
        note(try await server.send(.put, "/v1/devices/\(canary)", as: .server), 422, "a token for a device")
        note(
            try await server.send(.get, "/v1/\(canary)?token=\(canary)", as: .server), 404, "an unknown path")
        note(
            try await server.send(
                .post, "/v1/events", as: nil, headers: [.authorization: "Bearer \(canary)"]), 401,
            "a token for a key")
        note(try await server.send(.get, "/metrics", as: nil), 200, "/metrics")
        note(
            try await server.send(.delete, "/v1/devices/\(Self.deviceID)/tokens", as: .server), 204,
            "a log-out")
    }

    /// - Parameter key: the token key.
    @discardableResult
    private func run(_ program: URL, _ arguments: [String], key: String? = nil) async throws -> String {
        let folder = try ThrowawayFolder.create(for: "canary")
        defer { try? folder.remove() }
        var environment = ProcessInfo.processInfo.environment
        environment["LANDFALL_TOKEN_KEY"] = key ?? keyText
        environment["LANDFALL_TOKEN_KEY_NEXT"] = nextKeyText
        environment.merge(TestDatabase.current.variables) { $1 }
        environment["LANDFALL_DATA"] = folder.url.path
        let child = try ChildProgram.start(
            program, arguments, environment: environment, log: folder.url.appendingPathComponent("log"))
        try await child.waitUntilEnded()
        seen.note(child.output, in: "landfall \(arguments.joined(separator: " "))")
        return child.output
    }

    private var landfall: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
            "landfall")
    }

    private func useCommands() async throws {
        let folder = try ThrowawayFolder.create(for: "canary-files")
        defer { try? folder.remove() }
        func file(_ name: String, _ text: String) throws -> String {
            let url = folder.url.appendingPathComponent(name)
            try Data(text.utf8).write(to: url)
            return url.path
        }
        let canary = Self.canary
        let good = try file(
            "good.csv",
            """
            value,topic,registered_at,kind
            \(canary),com.example.shop.other,2026-01-01T00:00:00Z,alert
            \(canary),com.example.shop,\(canary),alert
            \(canary)x,com.example.shop,2026-01-01T00:00:00Z,
            \(canary),com.example.shop,2026-01-01T00:00:00Z,\(canary)
            \(canary),"com.example.shop,2026-01-01T00:00:00Z
            """)
        let headless = try file("headless.csv", "\(canary),com.example.shop\n")
        let lines = try file("lines.ndjson", #"{"value":"\#(canary)","registered_at":{"\#(canary)":1}}"#)
        let verdicts = folder.url.appendingPathComponent("verdicts.csv")
        for arguments in [
            [good], [good, "--verdicts", verdicts.path], [good, "--apply", "--json"], [headless], [lines],
        ] {
            try await run(landfall, ["tokens", "import", "--app", "shop"] + arguments)
        }
        seen.note(try String(contentsOf: verdicts, encoding: .utf8), in: "verdicts.csv")
        for command in [
            "tokens status", "tokens status --json", "tokens sweep", "tokens sweep --json", "quarantine list",
            "verify",
            "funnel --json", "tokens reseal",
        ] {
            try await run(landfall, command.split(separator: " ").map(String.init))
        }
        #expect(seen.contains("\"registered\": 1"), "the import did import")
        #expect(seen.contains("invalid_instant"))
    }

    /// The tables of all cells with a row that holds the text in any column, bytea as hex.
    private func tables(with text: String) async throws -> [String] {
        var found: [String] = []
        for database in TestDatabase.current.all { found += try await tables(of: database, with: text) }
        return found
    }

    private func tables(of database: TestDatabase, with text: String) async throws -> [String] {
        // Through the connections of one cell, the other's tables cannot be named.
        let others = TestDatabase.current.all.map(\.schema).filter { $0 != database.schema }
        let names = try await database.query(
            """
            SELECT format('%I.%I', nspname, relname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')
            """
        ) { try $0.get(0, as: String.self) }
        #expect(names.count > 20)
        var found: [String] = []
        for name in names where !others.contains(where: { name.hasPrefix("\($0).") }) {
            let count = try await database.count(
                "SELECT count(*) FROM \(name) AS content WHERE strpos(content::text, $1) > 0", [.value(text)])
            if count > 0 { found.append(name) }
        }
        return found
    }

    private func dump() async throws -> String {
        let folder = try ThrowawayFolder.create(for: "canary-dump")
        defer { try? folder.remove() }
        let programs = try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment)
        let program = try #require(
            programs.map { $0.path(of: "pg_dump") }.first { FileManager.default.isExecutableFile(atPath: $0) }
        )
        let log = folder.url.appendingPathComponent("dump")
        let child = try ChildProgram.start(
            URL(fileURLWithPath: program), ["--dbname", TestDatabase.current.url], log: log)
        try await child.waitUntilEnded()
        return child.output
    }

    private func expectNowhere() async throws {
        let dump = try await dump()
        // The same search finds what is there: the device's id.
        let device = Self.deviceID.uuidString.lowercased()
        #expect(dump.contains(device))
        #expect(try await tables(with: device) == ["\(TestDatabase.schema).installation"])
        for spelling in Self.spellings {
            #expect(seen.places(of: spelling) == [])
            #expect(try await tables(with: spelling) == [])
            #expect(!dump.contains(spelling))
        }
    }

    private func expectSealed(_ vault: TokenVault) async throws {
        let sealed = try await TestDatabase.current.query(
            "SELECT app_id, sealed_value FROM landfall.token WHERE sealed_value IS NOT NULL"
        ) { (try $0.get(0, as: Int64.self), try $0.get(1, as: [UInt8].self)) }
        #expect(sealed.count == 2)
        for (appID, sealed) in sealed {
            // The value as the app registered it.
            let value = String(decoding: try vault.open(sealed, from: .token(ofApp: appID)), as: UTF8.self)
            #expect(value.lowercased() == Self.canary)
        }
    }

    @Test("a device token is in no row, log, response, output or dump, whatever it went through")
    func nowhere() async throws {
        let key = try TokenKey(base64: keyText)
        try await TestServer.run(
            tokenKey: key, configure: { $0.logging.access = .on }, logger: logger(seen)
        ) { server in
            try await useHTTP(server)
            try await useCommands()
        }
        #expect(seen.contains("/v1/devices/{device_id}"), "there is a log")
        let items = try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item")
        #expect(items > 5)
        try await expectSealed(TokenVault(key))
        try await expectNowhere()

        let output = try await run(landfall, ["tokens", "reseal", "--apply"])
        #expect(output.contains("Done."), "\(output)")
        try await expectSealed(TokenVault(try TokenKey(base64: nextKeyText)))
        try await run(landfall, ["quarantine", "list", "--show-text"], key: keyText)
        try await expectNowhere()
    }
}
