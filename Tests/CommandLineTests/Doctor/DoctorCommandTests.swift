import ArgumentParser
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

@testable import Dashboards
@testable import Doctor
@testable import Rendering

@Suite("landfall doctor")
struct DoctorCommandTests {
    private static let asOf = Instant(millisecondsSinceEpoch: 1_773_601_200_000)

    private static func finding(_ id: Finding.ID, _ severity: Finding.Severity) -> Finding {
        Finding(
            id, severity, "It is so.", "That is bad.", "Do better.",
            command: ["landfall", "funnel", "--campaign", "my campaign"], evidence: [.init("n", .integer(3))])
    }

    private static func report(_ findings: [Finding], examined: Examined = .judged("3 pushes"))
        -> DoctorReport
    {
        let checkup = Checkup(
            subject: "providers", isAboutTraffic: true, examined: examined, findings: findings)
        let quiet = Checkup(subject: "sweep", isAboutTraffic: false, examined: .nothing, findings: [])
        let patient = DoctorReport.Patient(app: App(appID: 1, slug: "shop"), checkups: [checkup, quiet])
        return DoctorReport(asOf: asOf, hours: 24, patients: [patient])
    }

    private let plain = OutputStyle(usesUnicode: false, usesColor: false)

    @Test("prints problems before warnings, each with a remedy and a command that shows more")
    func order() throws {
        let report = Self.report([
            Self.finding(.providerPurge, .warning), Self.finding(.breakerOpen, .problem),
        ])
        #expect(
            report.lines(plain) == [
                "Doctor | shop", "  examined the last 24 hours before 2026-03-15 19:00 +00:00", "",
                "1 problem, 1 warning", "",
                "x problem | breaker_open", "  It is so.", "  means  That is bad.", "  do     Do better.",
                "  more   landfall funnel --campaign 'my campaign'", "",
                "! warning | provider_purge", "  It is so.", "  means  That is bad.", "  do     Do better.",
                "  more   landfall funnel --campaign 'my campaign'", "",
                "Examined", "  x providers  3 pushes", "  - sweep      no data",
            ])
    }

    @Test("prints what is wrong with the database in its place among the findings of apps")
    func place() throws {
        let apps = Self.report([Self.finding(.breakerOpen, .problem), Self.finding(.providerPurge, .warning)])
        let checkup = Checkup(
            subject: "durability", isAboutTraffic: false, examined: .judged("off"),
            findings: [Self.finding(.notDurable, .problem)])
        let report = DoctorReport(
            asOf: Self.asOf, hours: 24, patients: apps.patients + [.init(app: nil, checkups: [checkup])])
        let marks = report.lines(plain).filter { $0.hasPrefix("x ") || $0.hasPrefix("! ") }
        #expect(
            marks == [
                "x problem | breaker_open", "x problem | \(Finding.ID.notDurable.rawValue)",
                "! warning | provider_purge",
            ])
        #expect(report.findings.map(\.severity) == [.problem, .problem, .warning])
        let ids = report.csv.text.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[1] }
        #expect(ids.last == "provider_purge")
    }

    @Test("prints passed checks in green and failed ones in red")
    func colors() {
        let style = OutputStyle(usesUnicode: true, usesColor: true, width: 80)
        let well = Self.report([]).lines(style).joined(separator: "\n")
        #expect(well.contains("\u{1B}[32mAll is well.\u{1B}[0m"))
        #expect(well.contains("\u{1B}[32m✓\u{1B}[0m"))
        let ill = Self.report([Self.finding(.breakerOpen, .problem)]).lines(style)
            .joined(separator: "\n")
        #expect(ill.contains("\u{1B}[31m✗ problem · breaker_open\u{1B}[0m"))
    }

    @Test("says if there is too little data, and does not call that healthy")
    func tooLittle() {
        let report = Self.report([], examined: .tooLittle("3 pushes"))
        let lines = report.lines(plain)
        #expect(lines.contains("  - providers  too little to tell: 3 pushes"))
        #expect(lines.contains("Too little has been sent recently to tell whether all is well."))
        #expect(lines.contains { $0.contains("All is well") } == false)
        let judged = Self.report([])
        #expect(judged.lines(plain).contains("All is well."))
        let both = DoctorReport(
            asOf: Self.asOf, hours: 24,
            patients: judged.patients + [
                .init(app: App(appID: 2, slug: "news"), checkups: report.patients[0].checkups)
            ])
        #expect(
            both.lines(plain).contains(
                "All is well as far as can be judged; there is too little data for news."))
        // A problem is reported however little other data there is.
        let ill = Self.report([Self.finding(.breakerOpen, .problem)], examined: .tooLittle("3 pushes"))
        #expect(ill.lines(plain).contains("1 problem"))
    }

    @Test("does not tick a sweep that never ran")
    func neverDone() {
        let checkup = Checkup(subject: "sweep", isAboutTraffic: false, examined: .neverDone, findings: [])
        let report = DoctorReport(
            asOf: Self.asOf, hours: 24,
            patients: Self.report([]).patients.map { .init(app: $0.app, checkups: $0.checkups + [checkup]) })
        #expect(report.lines(plain).last == "  - sweep      never done")
        #expect(report.document.lineText.contains(#""verdict":"nothing","amount":"never done""#))
    }

    @Test("prints one NDJSON line and one HTML card per finding")
    func formats() throws {
        let report = HandMadeDay.doctor
        try GoldenFile.expect(report.lines(DoctorPaper.style), "doctor.txt")
        let lines = report.document.lines(of: "findings")
        try GoldenFile.expect(lines, "doctor.ndjson")
        #expect(lines.count == 3)
        let page = report.htmlPage.text
        #expect(page.contains("&lt;b&gt;7.2.0&lt;/b&gt;") && !page.contains("<b>7.2.0</b>"))
        let well = Self.report([]).htmlPage.text
        #expect(well.contains("All is well."))
    }

    @Test("prints no line wider than the terminal, except commands, for copying", arguments: [40, 60, 100])
    func width(columns: Int) {
        let long = Finding(
            .wrongTopic, .problem, Array(repeating: "numbers", count: 40).joined(separator: " "),
            Array(repeating: "meaning", count: 30).joined(separator: " "), "Do better.",
            command: ["landfall", "funnel"], evidence: [])
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: columns)
        for line in Self.report([long]).lines(style) {
            #expect(displayWidth(line) <= columns, "\(line)")
        }
    }

    @Test("names every finding and everything it checked in the JSON document")
    func document() throws {
        let text = Self.report([Self.finding(.breakerOpen, .problem)]).document.indentedText
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["report"] as? String == "doctor")
        #expect(object?["problems"] as? Int == 1)
        #expect(object?["warnings"] as? Int == 0)
        let finding = try #require((object?["findings"] as? [[String: Any]])?.first)
        #expect(finding["app"] as? String == "shop")
        #expect(finding["id"] as? String == "breaker_open")
        #expect(finding["severity"] as? String == "problem")
        #expect(finding["command"] as? String == "landfall funnel --campaign 'my campaign'")
        #expect((finding["evidence"] as? [String: Int]) == ["n": 3])
        #expect((object?["examined"] as? [[String: Any]])?.count == 2)
        #expect(
            Self.report([Self.finding(.breakerOpen, .problem)]).csv.text.contains(
                "breaker_open"))
    }

    @Test(
        "is a subcommand of landfall",
        arguments: [
            [], ["--app", "shop", "--hours", "6", "--json"], ["--as-of", "2026-03-01"],
            ["--warnings", "--html"], ["--ndjson"],
        ])
    func parsed(arguments: [String]) throws {
        #expect(try Landfall.parseAsRoot(["doctor"] + arguments) is DoctorCommand)
    }

    @Test(
        "rejects what it cannot check",
        arguments: [["--hours", "0"], ["--hours", "145"], ["--as-of", "soon"], ["--as-of", "2099-01-01"]])
    func rejected(arguments: [String]) {
        #expect(throws: (any Error).self) { try DoctorCommand.parse(arguments) }
    }

    @Test("exits with 1 for a problem, such as the tests' database without fsync", .database)
    func exitCode() async throws {
        let database = TestDatabase.current
        let empty = try DoctorCommand.parse(database.options + ["--json"])
        // Of several cells, one without apps is examined, too.
        if TestCells.chosen == .one { try empty.run() }
        _ = try await database.pool.withConnection {
            try database.createApp("shop", at: Self.asOf, on: $0)
        }
        let command = try DoctorCommand.parse(database.options + ["--app", "shop", "--json"])
        #expect(throws: ExitCode.failure) { try command.run() }
    }

    @Test("exits with 1 for warnings if asked to, and never for little or no data")
    func warnings() throws {
        let usual = try DoctorCommand.parse([])
        let strict = try DoctorCommand.parse(["--warnings"])
        let warning = Self.report([Self.finding(.providerPurge, .warning)])
        #expect(usual.isTrouble(warning) == false)
        #expect(strict.isTrouble(warning))
        let problem = Self.report([Self.finding(.breakerOpen, .problem)])
        #expect(usual.isTrouble(problem) && strict.isTrouble(problem))
        #expect(strict.isTrouble(Self.report([], examined: .tooLittle("3 pushes"))) == false)
    }

    @Test("prints findings about the whole database below its apps")
    func server() {
        let checkup = Checkup(
            subject: "durability", isAboutTraffic: false, examined: .judged("on disk"), findings: [])
        let apps = Self.report([])
        let database = DoctorReport.Patient(app: nil, checkups: [checkup])
        let report = DoctorReport(asOf: Self.asOf, hours: 24, patients: apps.patients + [database])
        #expect(report.lines(plain).last == "  + durability  on disk")
        let empty = DoctorReport(asOf: Self.asOf, hours: 24, patients: [database])
        #expect(empty.isEmpty)
        #expect(empty.lines(plain).last?.hasPrefix("Nothing to examine") == true)
    }

    @Test("one diagnosis reads notifications, by an index of few, and each is limited to its app")
    func statements() throws {
        let diagnoses = SQLFile.all.filter {
            $0.name.hasPrefix("doctor/") && !$0.name.hasPrefix("doctor/findings/")
        }
        #expect(diagnoses.count == 24)
        let reading = diagnoses.filter { $0.text.firstMatch(of: /landfall\.delivery\b/) != nil }
        #expect(reading.map(\.name) == ["doctor/extensions/content_available"])
        for file in diagnoses {
            #expect(file.text.contains("app_id = $1"), "\(file.name)")
        }
    }

    @Test("docs/doctor.md explains every finding and every threshold")
    func paper() throws {
        let text = try DoctorPaper.text()
        for id in Finding.ID.allCases { #expect(text.contains("`\(id.rawValue)`"), "\(id.rawValue)") }
        for threshold in Mirror(reflecting: DoctorRules()).children {
            let name = try #require(threshold.label)
            #expect(text.contains("`\(name)` \(threshold.value)"), "\(name) is \(threshold.value)")
        }
    }
}
