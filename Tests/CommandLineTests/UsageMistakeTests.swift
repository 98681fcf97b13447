import ArgumentParser
import Testing

@testable import Dashboards
@testable import Rendering
@testable import Reports

@Suite("A mistake in the request")
struct UsageMistakeTests {
    @Test("is a sentence that quotes what was typed")
    func sentence() {
        let message = { (error: ReportError) in
            let thrown = #expect(throws: ValidationError.self) { try asValidation { throw error } }
            return thrown?.message ?? ""
        }
        #expect(message(.tooManyDimensions([.day, .hour])).hasPrefix("'day,hour' are too many at once: "))
        #expect(message(.unreadableInstant("yesterdy", bound: "from")).hasPrefix("'yesterdy' is not valid"))
        #expect(
            message(.unknownDimension("dya")).hasPrefix("A report cannot be broken down by 'dya' (did you"))
    }

    @Test("is a sender, which reports do not know")
    func sender() {
        for arguments in [["--sender", "checkout"], ["--by", "sender"]] {
            let thrown = #expect(throws: (any Error).self) {
                try Landfall.parseAsRoot(["funnel"] + arguments)
            }
            let message = thrown.map { Landfall.message(for: $0) } ?? ""
            #expect(message.contains("they read counters"), "\(message)")
        }
    }

    @Test("is a secret for a sender that signs nothing")
    func unsigned() {
        for (preset, start) in [("gorush", "gorush does not sign"), ("nobody", "There is no such preset")] {
            let thrown = #expect(throws: (any Error).self) {
                try Landfall.parseAsRoot(["key", "import", preset, "--app", "shop"])
            }
            let message = thrown.map { Landfall.message(for: $0) } ?? ""
            #expect(message.contains(start) && message.contains("Use customerio, huawei."), "\(message)")
        }
    }

    @Test("in a dimension is found before a database is opened, and names those of the report")
    func dimensions() {
        let message = { (by: String, command: String) -> String in
            let thrown = #expect(throws: (any Error).self) {
                try Landfall.parseAsRoot([command, "--by", by])
            }
            return thrown.map { Landfall.message(for: $0) } ?? ""
        }
        #expect(
            message("langauge", "permissions")
                == "A report cannot be broken down by 'langauge' (did you mean 'language'?). The dimensions are "
                + "hour, day, week, month, campaign, variant, platform, app_version, os_version, language.")
        #expect(message("topic", "permissions").hasPrefix("Permissions cannot be filtered or broken down by"))
        #expect(message("action", "permissions").hasPrefix("'action' is known only of clicks"))
        #expect(message("langauge", "funnel").contains("topic, platform"))
        #expect(message("langauge", "extension").contains("topic, platform"))
        #expect(message("action", "extension").hasPrefix("This report is always broken down by"))
        #expect(
            PermissionsCommand.helpMessage(columns: 2_000).contains(
                "permissions only by hour, day, week, month, platform, app_version, os_version, language, or by "
                    + "campaign and variant."))
    }

    @Test("ends with 64 and without landfall's usage if it is found while running")
    func running() {
        let code = #expect(throws: ExitCode.self) {
            try asUsage { throw ReportError.tooManyDimensions([.day, .hour]) }
        }
        #expect(code == .validationFailure)
    }

    @Test("does not include a contradiction in the database")
    func contradiction() {
        let error = ReportError.doesNotAddUp(report: "funnel", place: "", rule: "", left: 0, right: 1)
        #expect(throws: error) { try asUsage { throw error } }
    }

    @Test("in a filter value is reported with the closest known value, or with all there are")
    func values() {
        let note = { (name: String, known: [String]) in
            Dimension.appVersion.note(on: name, known: known, app: "shop")
        }
        #expect(
            note("7.11", ["", "7.1", "8.0"])
                == "note: shop has nothing with the app version '7.11' (did you mean '7.1'?)")
        #expect(
            note("beta", ["", "7.1"]) == "note: shop has nothing with the app version 'beta'. Known: 7.1")
        #expect(note("", ["7.1"]) == "note: shop has nothing without app version. Known: 7.1")
        #expect(
            note("beta", (0..<20).map { "7.\($0)" }) == "note: shop has nothing with the app version 'beta'")
        #expect(note("\u{1B}[2J", []) == "note: shop has nothing with the app version '\\u001b[2J'")
    }

    @Test("includes asking for two formats at once; each format has a short name")
    func formats() throws {
        #expect(throws: (any Error).self) { try ReportOutputOptions.parse(["--html", "--json"]) }
        #expect(throws: (any Error).self) { try ReportOutputOptions.parse(["--format", "pdf"]) }
        for format in ReportFormat.allCases {
            let short = format == .table ? [] : ["--\(format.rawValue)"]
            #expect(try ReportOutputOptions.parse(short).chosenFormat == format)
            #expect(try ReportOutputOptions.parse(["--format", format.rawValue]).chosenFormat == format)
        }
    }
}
