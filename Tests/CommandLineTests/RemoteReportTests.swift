import Basics
import ChildPrograms
import Foundation
import Testing

@testable import Dashboards

/// Reports that `landfall` asks a server for, compared with the same reports of the server's database.
@Suite("Reports of a remote server", .serialized) struct RemoteReportTests {
    private static let commands = [
        ["funnel", "--from", "4d", "--by", "day,campaign", "--compare", "previous"],
        ["funnel", "--from", "4d", "--campaign", "spring-sale", "--campaign", "", "--platform", "ios"],
        [
            "funnel", "--from", "4d", "--by", "campaign", "--sort", "click_through", "--limit", "2",
            "--estimate",
        ],
        ["reach", "--from", "4d", "--exact"], ["clicks", "--by", "hour", "--tz", "Asia/Kathmandu"],
        ["clicks", "--from", "4d", "--by", "action,app_state", "--compare", "previous"],
        ["loss", "--campaign", "weekly-digest"], ["rejections", "--from", "4d"],
        ["latency", "--by", "app_version"],
        ["extension", "--limit", "3"], ["permissions", "--from", "4d", "--by", "day,platform"],
        ["permissions", "--as-of", "1h", "--tz", "Asia/Kathmandu", "--compare", "previous"],
        ["permissions", "--from", "4d", "--by", "campaign", "--sort", "opt_out"],
        ["tokens", "status"], ["tokens", "status", "--as-of", "1h"],
        ["tokens", "waterfall", "--by", "day", "--unit", "tokens"],
    ]
    private static let formats = [[], ["--ndjson"], ["--csv"], ["--html"]]

    /// Without the instant at which the numbers were read.
    private static func timeless(_ text: String) -> String {
        text.replacing(/\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)/, with: "TIME")
            .replacing(/as of \d{4}-\d\d-\d\d \d\d:\d\d/, with: "as of TIME")
    }

    @Test("are those of its database, byte for byte, in every format", .timeLimit(.minutes(40)))
    func same() async throws {
        try await RemoteServerStage.run { stage in
            var lengths = 0
            for (index, command) in Self.commands.enumerated() {
                // Every report as JSON and in one other format.
                for format in [["--json"], Self.formats[index % Self.formats.count]] {
                    let local = try stage.landfall(command + format)
                    let remote = try stage.landfall(command + format + ["--profile", "shop"])
                    #expect(
                        local.status == 0 && remote.status == 0, "\(command): \(local.notes)\(remote.notes)")
                    #expect(
                        Self.timeless(remote.output) == Self.timeless(local.output), "\(command + format)")
                    lengths += remote.output.utf8.count
                }
            }
            #expect(lengths > 50_000)
            // Next steps need the database, and are not in CSV. The length of an instant decides where a
            // document has line breaks.
            func today(_ arguments: String...) throws -> [String] {
                Self.timeless(try stage.landfall(["today"] + arguments).output)
                    .filter { !$0.isWhitespace }.components(separatedBy: #""next":["#)
            }
            let csv = try today("--csv")
            #expect(csv.first?.contains("demo") == true)
            #expect(try today("--csv", "--profile", "shop") == csv)
            #expect(try today("--json", "--profile", "shop") == [today("--json")[0], "]}"])
            #expect(try !stage.landfall(["today", "--profile", "shop"]).output.contains("Try next"))
            let misspelled = try stage.landfall(["funnel", "--campaign", "wekly-digest", "--profile", "shop"])
            #expect(misspelled.notes.contains("did you mean 'weekly-digest'?"))
            #expect(misspelled.notes.hasSuffix("Asked: \(stage.address) (profile shop).\n"))
        }
    }

    @Test("fail with an error that names the fix", .timeLimit(.minutes(40)))
    func errors() async throws {
        try await RemoteServerStage.run { stage in
            func failure(_ arguments: String..., status: Int32 = 1) throws -> String {
                let ending = try stage.landfall(arguments)
                #expect(ending.status == status, "\(arguments): \(ending.notes)")
                #expect(ending.output.isEmpty)
                return ending.notes
            }
            #expect(
                try failure("funnel", "--profile", "nope").contains(
                    "which has shop: landfall config set nope --server URL creates it"))
            #expect(
                try failure("funnel", "--app", "news", "--profile", "shop", status: 64).contains(
                    "'app' is 'news', and the key is one of app 'demo'"))
            #expect(
                try failure("funnel", "--profile", "shop", "--database", "host=x", status: 64).contains(
                    "use one of them"))
            let set = ["config", "set", "other", "--server"]
            func refusal(_ server: String, key: String) throws -> String {
                let ending = try stage.landfall(set + [server], input: key + "\n")
                #expect(ending.status == 1)
                return ending.notes
            }
            let wrongKey = "lf_report_" + String(repeating: "x", count: 43)
            #expect(
                try refusal(stage.address, key: wrongKey).contains(
                    "does not accept the key of profile other: it was revoked, or is another server's"))
            #expect(try refusal(stage.address, key: stage.serverKey).contains("this is a server key"))
            #expect(try refusal(stage.address, key: "secret").contains("begins with lf_report_"))
            #expect(try refusal("push.example.com", key: wrongKey).contains("use one such as https://"))
            #expect(try refusal("https://a@b.example", key: wrongKey).contains("name only the server"))
            #expect(try refusal("http://127.0.0.1:1", key: wrongKey).contains("cannot be reached"))
            #expect(
                try refusal(stage.address + "/elsewhere", key: wrongKey).contains(
                    "the address has a wrong path"))
            #expect(try !stage.landfall(["config"]).output.contains("other"))

            var others = stage
            others.environment["LANDFALL_PROFILE"] = "shop"
            let sweep = try others.landfall(["tokens", "sweep", "--apply"])
            #expect(sweep.status == 1)
            #expect(sweep.notes.contains("LANDFALL_PROFILE=shop names a server"))
            #expect(try others.landfall(["funnel", "--json"]).output.contains(#""app": "demo""#))
            #expect(try others.landfall([]).output.hasPrefix("Landfall | demo\n"))
            #expect(try others.landfall(["--json"]).output.contains(#""next": []"#))
            #expect(
                try failure("--app", "news", "--profile", "shop", status: 64).contains("'app' is 'news'"))
        }
    }

    @Test("need a file of profiles that only its user may read", .timeLimit(.minutes(40)))
    func profiles() async throws {
        try await RemoteServerStage.run { stage in
            let file = stage.folder.appendingPathComponent(".config/landfall/profiles.json")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
            let list = try stage.landfall(["config", "--json"]).output
            #expect(list.contains(#""server": "\#(stage.address)""#))
            #expect(!list.contains(stage.reportKey))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            #expect(try stage.landfall(["funnel", "--profile", "shop"]).notes.contains("chmod 600"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect(try stage.landfall(["config", "remove", "shop"]).status == 0)
            #expect(try stage.landfall(["config", "--csv"]).output == "name,server,key_prefix,chosen\r\n")
            #expect(try stage.landfall(["config", "remove", "shop"]).status == 1)
        }
    }

    @Test("complete names in the shell, like those of a database", .timeLimit(.minutes(40)))
    func completion() async throws {
        try await RemoteServerStage.run { stage in
            func words(_ option: String, _ line: String) throws -> [Substring] {
                let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
                var stage = stage
                stage.environment["SAP_SHELL"] = "bash"
                let ending = try stage.landfall(
                    ["---completion", "funnel", "--", option, "\(words.count - 1)", "0"] + words)
                #expect(ending.notes.isEmpty)
                return ending.output.split(separator: "\n")
            }
            #expect(try words("--app", "landfall funnel --app ") == ["demo"])
            let local = try words("--campaign", "landfall funnel --campaign ")
            #expect(local.contains("weekly-digest") && local == local.sorted())
            let remote = try words("--campaign", "landfall funnel --profile shop --campaign ")
            #expect(remote.sorted() == local)
            #expect(try words("--campaign", "landfall funnel --profile nope --campaign ").isEmpty)
            #expect(try words("--campaign", "landfall funnel --database host=/nowhere --campaign ").isEmpty)
            for (shell, file) in [
                ("bash", ".local/share/bash-completion/completions/landfall"),
                ("zsh", ".local/share/zsh/site-functions/_landfall"),
                ("fish", ".config/fish/completions/landfall.fish"),
            ] {
                let ending = try stage.landfall(["completions", "install", shell])
                #expect(ending.status == 0 && ending.notes.contains(file))
                let script = try String(
                    contentsOf: stage.folder.appendingPathComponent(file), encoding: .utf8)
                #expect(script.contains("waterfall"))
            }
            #expect(try stage.landfall(["completions", "install", "csh"]).notes.contains("zsh, bash, fish"))
        }
    }
}

/// A server with simulated traffic and a profile, for commands that run as a user with a home folder of their
/// own.
private struct RemoteServerStage {
    let folder: URL
    let address: String
    let serverKey: String
    let reportKey: String
    var environment: [String: String]

    func landfall(_ arguments: [String], input: String = "") throws -> LandfallProgram.Ending {
        try LandfallProgram(folder: folder, environment: environment).run(arguments, input: input)
    }

    private static var dayBeforeYesterday: String {
        String((Instant.now.startOfUTCDay - .days(2)).rfc3339.prefix(10))
    }

    static func run(_ body: (RemoteServerStage) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "remote")
        defer { try? folder.remove() }
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // On a machine that runs other tests at the same time, a report may take longer than operators allow.
        let server = try await ServerProgram.start(
            try ServerProgram.executable(), dataFolder: data,
            variables: ["LANDFALL_REPORTS_STATEMENT_TIMEOUT": "60"])
        defer { server.stop() }
        let environment = ["LANDFALL_DATA": data.path]
        let program = LandfallProgram(folder: folder.url, environment: environment)
        func key(_ kind: String) throws -> String {
            try program.run("key", "create", "--kind", kind).output.trimmingCharacters(in: .newlines)
        }
        let stage = RemoteServerStage(
            folder: folder.url, address: server.address, serverKey: try key("server"),
            reportKey: try key("report"),
            environment: environment)
        let posted = try stage.landfall([
            "simulate", "--server", server.address, "--key", stage.serverKey, "--installations", "80",
            // Old enough that no share changes between two questions.
            "--start", dayBeforeYesterday, "--hours", "12",
        ])
        #expect(posted.status == 0, "\(posted.notes)")
        let saved = try stage.landfall(
            ["config", "set", "shop", "--server", server.address + "/"], input: stage.reportKey + "\n")
        let log = try? String(contentsOf: data.appendingPathComponent("landfall-server.log"), encoding: .utf8)
        #expect(
            saved.notes.hasPrefix("The profile shop reads the reports of app demo at \(server.address)."),
            "\(saved.notes)\n\(log ?? "")")
        try await body(stage)
    }
}
