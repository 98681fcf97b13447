import ChildPrograms
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

/// Any client with a key chooses names that others read on their terminals.
@Suite("Names that would control a terminal", .databaseForLong, .timeLimit(.minutes(40)))
struct HostileNamesTests {
    /// Clears the screen, sets the title, ends a line, reverses its direction, and clears the screen with a
    /// C1 control.
    private static let name = "x\u{1B}[2J\u{1B}]0;pwned\u{7}\r\n\u{9B}2J\u{202E}y\u{2028}\u{7F}"
    private static let tokenKey = Data(repeating: 7, count: 32).base64EncodedString()
    private let database = TestDatabase.current
    private let deviceID = UUID()

    private struct Outcome: Decodable {
        let arguments: [String]
        let controls: [String]
        let shows: Bool
        let length: Int
        let text: String
    }

    private func json(_ fields: [String: String]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: fields.mapValues { $0 as Any })
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes the name into every text field: of a registration, a push that arrived, a rejected one, and an
    /// invalid item.
    private func fill() async throws -> UUID {
        let (now, name, pushID) = (Instant.now, Self.name, UUID())
        let vault = TokenVault(try TokenKey(base64: Self.tokenKey))
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try database.enterApps()
        var registration = Registration(deviceID: deviceID, registeredAt: now - .days(2))
        (registration.platform, registration.appVersion, registration.osVersion) = (name, name, name)
        (registration.language, registration.model, registration.account) = (name, name, name)
        registration.tags = [name]
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: name, kind: .alert, value: "80f4d1a6c3")
        ]
        try await database.pool.withTransaction { [registration] connection in
            try vault.claim(connection)
            _ = try DeviceRegistry(vault: vault).register(
                registration, appID: firstApp, now: now - .days(2), on: connection)
        }
        let sent = (now - .hours(2)).rfc3339
        let push = [
            "type": "response", "sent_at": sent, "provider": "apns", "token": "80f4d1a6c3", "topic": name,
            "push_type": name, "collapse_id": name, "campaign": name, "variant": name,
        ]
        let posted = try [
            json(push.merging(["notification_id": "\(pushID)"]) { $1 }).replacing(
                "\"type\"", with: "\"status\":200,\"type\""),
            json(push.merging(["notification_id": "\(UUID())", "reason": name]) { $1 }).replacing(
                "\"type\"", with: "\"status\":400,\"type\""),
            json([
                "type": "arrival", "notification_id": "\(pushID)", "sent_at": sent, "occurred_at": sent,
                "device_id": "\(deviceID)",
            ]),
            json([
                "type": "click", "notification_id": "\(pushID)", "sent_at": sent, "action": name,
                "category": name,
            ]),
            json(["type": name, "notification_id": name]), "garbage \(name)",
        ]
        let validator = EventValidator(appID: firstApp, poster: .server, now: now)
        let items = posted.map { text in
            let bytes = Array(text.utf8)[...]
            return BatchItem(appID: firstApp, text: bytes, poster: .server, content: validator.decode(bytes))
        }
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let verdicts = try await DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, logger: Logger(label: "test")
        ).write(items)
        #expect(verdicts.prefix(4).allSatisfy { $0.outcome == .accepted }, "\(verdicts)")
        return pushID
    }

    @Test("are printed escaped by every command, as text, as CSV, on a page and in errors")
    func commands() async throws {
        let pushID = try await fill()
        let name = Self.name
        let reports = [
            ["funnel", "--by", "campaign,topic"], ["funnel", "--by", "app_version"],
            ["reach", "--by", "language"],
            ["clicks", "--by", "variant"], ["clicks", "--by", "action,category"],
            ["loss", "--by", "platform"], ["rejections"],
            ["rejections", "--by", "push_type,topic"], ["latency", "--by", "os_version"], ["extension"],
            ["permissions", "--by", "language"],
        ].map { $0 + ["--from", "7d"] }
        let others = [
            [], ["doctor"], ["tokens", "status"], ["tokens", "zombies"], ["tokens", "waterfall"],
            ["quarantine", "list", "--show-text"], ["app", "list"], ["erase", "--account", name],
        ]
        let tables = reports + others
        let stories = [
            ["explain", "device", "\(deviceID)"], ["explain", "notification", "\(pushID)"],
            ["explain", "token", "80f4d1a6c3"], ["verify"],
        ]
        let mistakes = [
            ["funnel", "--campaign", name], ["funnel", "--by", name], ["funnel", "--app", name], [name],
            ["explain", "metric", name], ["explain", "device", name], ["funnel", "--from", name],
            ["--\(name)"], ["funnel", "--tz", name], ["tokens", "import", name],
            ["funnel", "--database", "host=\(name)"],
        ]
        let commands =
            tables + tables.map { $0 + ["--csv"] } + reports.prefix(7).map { $0 + ["--html"] } + stories
            + mistakes
        let folder = try ThrowawayFolder.create(for: "names")
        defer { try? folder.remove() }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("terminal-output.py")
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("landfall")
        let play = try ChildProgram.start(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "python3", script.path, program.path,
                String(decoding: try JSONEncoder().encode(commands), as: UTF8.self),
            ],
            environment: ProcessInfo.processInfo.environment.merging(database.variables) { $1 }.merging([
                "LANDFALL_DATA": folder.url.path,
                "LANDFALL_TOKEN_KEY": Self.tokenKey, "LANDFALL_DATABASE_ALLOW_UNSAFE": "true",
                "LANG": "C.UTF-8", "TERM": "xterm-256color",
            ]) { $1 }, log: folder.url.appendingPathComponent("log"))
        try await play.waitUntilEnded()
        let outcomes = try JSONDecoder().decode([Outcome].self, from: Data(play.output.utf8))
        #expect(outcomes.count == commands.count)
        for outcome in outcomes {
            #expect(outcome.controls == [], "\(outcome.arguments): \(outcome.text)")
            #expect(outcome.length > 0, "\(outcome.arguments)")
        }
        // The test is meaningful only if the names are shown.
        for arguments in reports where arguments.contains("--by") {
            for shown in outcomes where shown.arguments.starts(with: arguments) {
                #expect(shown.shows, "\(shown.arguments): \(shown.text)")
            }
        }
    }
}
