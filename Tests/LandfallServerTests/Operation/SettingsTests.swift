import Basics
import Foundation
import Logging
import Settings
import Testing

@testable import LandfallServer

@Suite struct SettingsTests {
    private func write(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func problems(
        flags: [String: String] = [:], file: String? = nil, environment: [String: String] = [:]
    ) -> [String] {
        do {
            _ = try EffectiveSettings(flags: flags, file: file, environment: environment)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("a flag overrides the environment, that overrides the file, and that the default")
    func precedence() throws {
        let file = try write(#"{"host": "file", "port": 3, "log": {"level": "info"}, "limits.items": 7}"#)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = try EffectiveSettings(
            flags: ["host": "flag"], file: file,
            environment: ["LANDFALL_HOST": "environment", "LANDFALL_PORT": "2"])
        #expect(settings.values.host == "flag")
        #expect(settings.values.port == 2)
        #expect(settings.values.logging.level == .info)
        #expect(settings.values.limits.itemsPerRequest == 7)
        #expect(settings.values.writers == ServerConfiguration().writers)
        let origins = ["host", "port", "log.level", "database.writers"].compactMap(ServerSetting.named)
            .map { settings.origin(of: $0).description }
        #expect(
            origins == [
                "flag --host", "environment LANDFALL_PORT", "file \(file) (log.level)", "default",
            ])
    }

    @Test(
        "days are packed from an age on, or never",
        arguments: [(nil, 14), ("30", 30), ("off", nil), ("OFF", nil)] as [(String?, Int64?)])
    func packing(text: String?, days: Int64?) throws {
        let environment = text.map { ["LANDFALL_RETENTION_PACKED_AFTER": $0] } ?? [:]
        let settings = try EffectiveSettings(environment: environment)
        #expect(settings.values.packedAfter == days.map(Span.days))
    }

    @Test("a credential of systemd is below the environment and above the file, without its line break")
    func credentials() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // LoadCredential=landfall:FOLDER puts the name before each file's.
        let values = [
            "landfall_host": "credential\n", "landfall_port": "5", "database.url": "host=credential\n",
        ]
        for (name, value) in values { try Data(value.utf8).write(to: folder.appendingPathComponent(name)) }
        let file = try write(#"{"host": "file", "database": {"url": "host=file", "writers": 3}}"#)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = try EffectiveSettings(
            file: file, environment: ["CREDENTIALS_DIRECTORY": folder.path, "LANDFALL_PORT": "7"])
        #expect(settings.values.host == "credential")
        #expect(settings.values.port == 7)
        #expect(settings.values.databaseURL == "host=credential")
        #expect(settings.values.writers == 3)
        let host = try #require(ServerSetting.named("host"))
        #expect(settings.origin(of: host).description == "credential \(folder.path)/host")
        #expect(settings.origin(of: host).kind == "credential")
        try Data("eighty".utf8).write(to: folder.appendingPathComponent("landfall_port"))
        #expect(
            problems(environment: ["CREDENTIALS_DIRECTORY": folder.path]).first?.contains(
                "credential \(folder.path)/port") == true)
    }

    @Test("LANDFALL_CONFIG names the file if no flag does")
    func fileFromEnvironment() throws {
        let file = try write(#"{"port": 1234}"#)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = try EffectiveSettings(environment: [
            "LANDFALL_CONFIG": file, "LANDFALL_PROFILE": "shop",
        ])
        #expect(settings.values.port == 1_234)
        #expect(settings.warnings.isEmpty)
    }

    @Test("an empty variable counts as absent")
    func emptyVariable() throws {
        let settings = try EffectiveSettings(environment: ["LANDFALL_DATABASE_URL": "", "LANDFALL_PORT": ""])
        #expect(settings.values.databaseURL.isEmpty)
        #expect(settings.values.port == 8080)
        #expect(settings.origins.isEmpty)
    }

    @Test("all mistakes are reported at once, with their origin and what would be right")
    func allProblems() throws {
        let file = try write(
            #"{"limits": {"items": 0}, "log": {"access": ["on"]}, "maintenance": {"enabled": "perhaps"}}"#)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let problems = problems(
            flags: ["port": "70000"], file: file,
            environment: ["LANDFALL_LOG_LEVEL": "loud", "LANDFALL_SHUTDOWN_GRACE": "0.5"])
        #expect(
            problems == [
                #"flag --port: port must be a whole number from 0 to 65535, not "70000""#,
                #"file \#(file) (limits.items): limits.items must be a whole number from 1 to 1000000, not "0""#,
                #"file \#(file) (maintenance.enabled): maintenance.enabled must be true or false, not "perhaps""#,
                #"environment LANDFALL_SHUTDOWN_GRACE: shutdown.grace must be a number of seconds from 1 to 300, not "0.5""#,
                "environment LANDFALL_LOG_LEVEL: log.level must be one of trace, debug, info, notice, warning, error, "
                    + "critical, not \"loud\"",
                "file \(file) (log.access): log.access must be one of on, off, errors",
            ])
    }

    @Test("a file that is missing, not JSON or no object is rejected by name", arguments: ["[1]", "{", ""])
    func badFile(text: String) throws {
        let file = try write(text)
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(problems(file: file).first?.contains(file) == true)
        let problems = problems(flags: ["port": "x"], file: "/nonexistent/x.json")
        #expect(problems.first?.contains("/nonexistent/x.json") == true)
        #expect(problems.count == 2)
    }

    @Test("an unknown setting is warned about, with the name that was most likely meant")
    func unknown() throws {
        let file = try write(#"{"limits": {"item": 5}, "zebra": true}"#)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = try EffectiveSettings(
            file: file,
            environment: [
                "LANDFALL_DATABASE_ULR": "x", "LANDFALL_ZEBRA": "x", "LANDFALL_KEY": "k",
                "LANDFALL_PG_BIN": "/b", "HOME": "/",
            ])
        #expect(
            settings.warnings == [
                "the environment variable LANDFALL_DATABASE_ULR is not a setting and has no effect; "
                    + "did you mean LANDFALL_DATABASE_URL?",
                "the environment variable LANDFALL_ZEBRA is not a setting and has no effect",
                "limits.item in \(file) is not a setting and has no effect; did you mean limits.items?",
                "zebra in \(file) is not a setting and has no effect",
            ])
    }

    @Test("numbers and booleans in a file need no quotes, and may have them")
    func fileTypes() throws {
        for text in [
            #"{"port": 81, "shutdown": {"grace": 2.5}, "database": {"prepared_statements": false}}"#,
            #"{"port": "81", "shutdown.grace": "2.5", "database": {"prepared_statements": "off"}}"#,
        ] {
            let file = try write(text)
            defer { try? FileManager.default.removeItem(atPath: file) }
            let server = try EffectiveSettings(file: file, environment: [:]).values
            #expect(server.port == 81)
            #expect(server.shutdownGrace == .milliseconds(2_500))
            #expect(server.preparesStatements == false)
        }
    }

    @Test("each setting reads back what was written to it", arguments: ServerSetting.all.map(\.name))
    func roundTrip(name: String) throws {
        let setting = try #require(ServerSetting.named(name))
        var values = ServerConfiguration()
        if !setting.defaultText.isEmpty { #expect(setting.write(setting.defaultText, &values)) }
        #expect(setting.read(values) == setting.defaultText)
        switch setting.form {
        case .toggle:
            let other = setting.defaultText == "true" ? "false" : "true"
            #expect(setting.write(other, &values))
            #expect(setting.read(values) == other)
        case .number:
            #expect(setting.write("not a number", &values) == false)
            #expect(setting.write("-1", &values) == false)
            #expect(setting.read(values) == setting.defaultText)
        case .cells:
            #expect(setting.write("[]", &values) == false)
            #expect(setting.read(values).isEmpty)
        case .text: break
        }
    }

    @Test("no two settings share a name, a flag or a variable")
    func distinct() {
        #expect(Set(ServerSetting.all.map(\.name)).count == ServerSetting.all.count)
        #expect(Set(ServerSetting.all.map(\.environmentVariable)).count == ServerSetting.all.count)
        let flags = ServerSetting.all.compactMap(\.flag)
        #expect(Set(flags).count == flags.count)
    }
}

@Suite struct LimitSettingsTests {
    @Test("a request timeout that is not below the grace period is warned about")
    func shortGrace() throws {
        #expect(try EffectiveSettings(environment: [:]).warnings.isEmpty)
        let settings = try EffectiveSettings(environment: ["LANDFALL_SHUTDOWN_GRACE": "15"])
        #expect(settings.warnings.count == 1)
        #expect(settings.warnings.first?.contains("limits.request_timeout") == true)
    }

    @Test("a rate is requests per second and burst, or off")
    func rates() throws {
        func rate(_ text: String) throws -> RateLimit? {
            try EffectiveSettings(environment: ["LANDFALL_LIMITS_DEVICE_EVENTS": text]).values.limits
                .deviceEvents
        }
        #expect(try rate("0.5/7") == RateLimit(perSecond: 0.5, burst: 7))
        #expect(try rate("off") == nil)
        for wrong in ["5", "5/", "0/1", "1/0", "5/5/5", "x/1"] {
            #expect(throws: SettingsError.self) { _ = try rate(wrong) }
        }
    }

    @Test("trusted proxies are addresses and ranges")
    func proxies() throws {
        let variable = "LANDFALL_LIMITS_TRUSTED_PROXIES"
        let settings = try EffectiveSettings(environment: [variable: "10.0.0.0/8, fd00::/8"])
        #expect(settings.values.limits.trustedProxies.count == 2)
        #expect(throws: SettingsError.self) {
            _ = try EffectiveSettings(environment: [variable: "10.0.0.0/8,x"])
        }
    }
}
