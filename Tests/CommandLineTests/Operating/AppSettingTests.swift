import Access
import ArgumentParser
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@testable import Dashboards
@testable import Rendering

@Suite("landfall app set and show", .database) struct AppSettingTests {
    private func set(_ arguments: String...) throws {
        let command = try AppSetCommand.parse(arguments + TestDatabase.current.options)
        try command.run()
    }

    private func makeApp() async throws -> App {
        let database = TestDatabase.current
        return try await database.pool.withConnection { try database.createApp("shop", on: $0) }
    }

    private func stored() async throws -> String {
        let texts: [String] = try await TestDatabase.current.query("SELECT settings::text FROM landfall.app")
        {
            try $0.get(0)
        }
        return texts.first ?? ""
    }

    @Test("change the settings of sweeps, and --unset restores the default")
    func sweep() async throws {
        let app = try await makeApp()
        let rules: () async throws -> SweepRules = {
            try await TestDatabase.current.pool.withConnection { try Sweep(appID: app.appID, on: $0).rules() }
        }
        try set("stale_after_days", "90")
        try set("sweep_after_days", "45")
        #expect(try await rules().staleAfterDays == 90)
        #expect(try await rules().sweepAfterDays == 45)
        try set("stale_after_days", "--unset")
        #expect(try await rules().staleAfterDays == SweepRules().staleAfterDays)
        #expect(try await stored() == #"{"sweep_after_days": 45}"#)
    }

    @Test("store every key as the type that the statements read")
    func types() async throws {
        _ = try await makeApp()
        try set("breaker_minimum", "500")
        try set("breaker_share", "0.3")
        try set("providers", "partner_a, partner_b,partner_a")
        try await TestDatabase.current.execute(
            """
            SELECT (settings ->> 'breaker_minimum')::bigint, (settings ->> 'breaker_share')::float8
            FROM landfall.app
            """)
        #expect(
            try await stored()
                == #"{"providers": ["partner_a", "partner_b"], "breaker_share": 0.3, "breaker_minimum": 500}"#
        )
        let values: [String: String] = try await TestDatabase.current.pool.withConnection { connection in
            let directory = AppDirectory(connection)
            return try directory.settings(of: directory.apps()[0])
        }
        #expect(
            values == ["providers": "partner_a,partner_b", "breaker_share": "0.3", "breaker_minimum": "500"])
    }

    @Test("know the keys that the statements read, and no others")
    func keys() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var read: Set<String> = []
        for folder in ["sql", "Sources"] {
            let files = try #require(
                FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path))
            for case let name as String in files where name.hasSuffix(".sql") || name.hasSuffix(".swift") {
                let file = root.appendingPathComponent("\(folder)/\(name)")
                let text = try String(contentsOf: file, encoding: .utf8)
                read.formUnion(text.matches(of: /app\.settings ->>? '([a-z_]+)'/).map { String($0.1) })
            }
        }
        #expect(read.count >= 4)
        for name in read { #expect(throws: Never.self) { try AppSetting.named(name) } }
    }

    @Test(
        "reject an impossible value with the possible ones, before connecting to a database",
        arguments: [
            (["stale_after_days", "6"], "a whole number from 7 to 3650"),
            (["sweep_after_days", "soon"], "a whole number from 1 to 3650"),
            (["breaker_share", "1.5"], "a share from 0 to 1"),
            (["breaker_share", "nan"], "a share from 0 to 1"),
            (["providers", "Partner"], "lowercase"), (["providers", "a,,b"], "lowercase"),
            (["providers", String(repeating: "a", count: 33)], "at most 32"),
            (["stale_after_day", "90"], "did you mean 'stale_after_days'?"),
            (["zebra", "1"], "breaker_minimum"),
            (["stale_after_days"], "--unset"), (["stale_after_days", "90", "--unset"], "--unset"),
        ])
    func rejected(arguments: [String], says: String) {
        let error = #expect(throws: (any Error).self) {
            try Landfall.parseAsRoot(["app", "set"] + arguments)
        }
        #expect(error.map { Landfall.message(for: $0) }?.contains(says) == true)
    }

    @Test("show a key that was misspelled by hand, and can unset it")
    func unknown() async throws {
        let app = try await makeApp()
        try await TestDatabase.current.execute(
            #"UPDATE landfall.app SET settings = '{"stale_after_day": 90}'"#)
        let settings = AppSettings(app: app, values: ["stale_after_day": "90"])
        let shown = settings.lines(OutputStyle(usesUnicode: false, usesColor: false))
        #expect(shown.contains { $0.contains("stale_after_day ") && $0.contains("90") }, "\(shown)")
        #expect(shown.contains { $0.contains("not a setting of this version") })
        try set("stale_after_day", "--unset")
        #expect(try await stored() == "{}")
    }

    @Test("list every key with its default in their help")
    func help() {
        let text = AppSetCommand.helpMessage(columns: 400)
        for setting in AppSetting.all {
            let standard = setting.defaultText.isEmpty ? "none" : setting.defaultText
            #expect(text.contains("\(setting.name): "))
            #expect(text.contains("Default: \(standard)."))
        }
    }
}
