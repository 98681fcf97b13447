import ArgumentParser
import ChildPrograms
import DeliveryModel
import Foundation
import Testing

@testable import Dashboards
@testable import Rendering
@testable import Reports

@Suite("landfall alone") struct TodayTests {
    private let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)

    @Test("prints today for the only app, and what to try next")
    func golden() throws {
        let page = try HandMadeDay.todayPage()
        let lines = page.lines(style)
        for line in lines { #expect(displayWidth(line) <= 100, "\(line)") }
        try GoldenFile.expect(lines, "today.txt")
        try GoldenFile.expect([page.document.indentedText], "today.json")
        try GoldenFile.expect(text: page.csv.text, "today.csv")
        // Commands may be wider, so that they can be copied.
        for line in try HandMadeDay.todayPage().lines(.init(usesUnicode: true, usesColor: false, width: 60))
        where !line.hasPrefix("  landfall ") {
            #expect(displayWidth(line) <= 60, "\(line)")
        }
    }

    @Test("prints a line for each of several apps")
    func several() throws {
        let day = try HandMadeDay.today()
        let page = TodayPage(
            asOf: HandMadeDay.now, timeZone: day.timeZone, days: [day, day], health: nil,
            steps: [NextStep(command: "landfall --app shop", reason: "shows one app in full")])
        let lines = page.lines(style)
        #expect(lines.first == "Landfall · 2 apps")
        #expect(lines.count { $0.hasPrefix("shop") && $0.contains("2,856") && $0.contains("▲ 12.0 %") } == 2)
        let text = page.htmlPage.text
        #expect(text.contains("2 apps") && text.components(separatedBy: "<bdi>shop</bdi>").count == 3)
        let documents = page.text(as: .ndjson, style).split(separator: "\n")
        #expect(documents.count == 3 && documents[0].hasPrefix(#"{"app":"shop","#))
        #expect(documents.last?.hasPrefix(#"{"report":"today","#) == true)
        #expect(page.remark(on: .table) == nil)
    }

    @Test("omits what it does not have: the tokens, which it mentions, and next steps")
    func omissions() throws {
        let day = try HandMadeDay.today()
        let page = TodayPage(
            asOf: HandMadeDay.now, timeZone: day.timeZone, days: [day], health: nil, steps: [])
        let lines = page.lines(style)
        #expect(!lines.contains("Try next") && lines.last?.isEmpty == false)
        #expect(!lines.contains { $0.hasPrefix("Tokens") })
        #expect(page.remark(on: .table)?.hasPrefix("The tokens are left out") == true)
        #expect(page.htmlPage.text.contains("not counted yet"))
        #expect(try HandMadeDay.todayPage().remark(on: .json) == nil)
    }

    @Test("shows what to do first in every format", arguments: ReportFormat.allCases)
    func first(format: ReportFormat) {
        let page = TodayPage(
            nothingAsOf: HandMadeDay.now, database: "ready", "There is no app yet.", NextStep.withoutApp)
        let text = page.text(as: format, style)
        #expect(text.contains("landfall app create shop") == (format != .csv))
        let (isDocument, isTable) = (format == .json || format == .ndjson, format == .csv)
        #expect(text.contains(#""database""#) == isDocument)
        #expect(text.contains("There is no app yet.") == (!isDocument && !isTable))
        #expect(page.remark(on: format) == nil)
    }

    @Test("suggests only commands that exist")
    func stepsExist() throws {
        let quiet = AppToday(
            today: try HandMadeDay.today().yesterday, yesterday: try HandMadeDay.today().yesterday,
            quarters: [],
            received: .init(received: 0, accepted: 0, duplicates: 0, rejected: 0), lastQuarter: nil)
        let steps =
            NextStep.withoutDatabase + NextStep.withoutApp + NextStep.after(quiet, nil, namesApp: false)
            + (try HandMadeDay.todayPage().steps)
        #expect(steps.count > 8)
        for step in steps where step.command.hasPrefix("landfall ") {
            let words = step.command.split(separator: " ").dropFirst().map(String.init)
            #expect(throws: Never.self, "\(step.command)") {
                try Landfall.parseAsRoot(words)
            }
        }
    }

    @Test("suggests the doctor if something looks wrong, and the rejections if there are many")
    func troubles() throws {
        let day = try HandMadeDay.today()
        func commands(
            _ totals: MeasureCounts, unmatched: UnmatchedCounts = 0, rejectedItems: Int64 = 0,
            namesApp: Bool = false
        ) throws -> [String] {
            let today = try FunnelReport(
                frame: day.yesterday.frame, rows: [], totals: totals, unmatched: unmatched)
            let app = AppToday(
                today: today, yesterday: day.yesterday, quarters: [],
                received: .init(received: 900, accepted: 900, duplicates: 0, rejected: rejectedItems),
                lastQuarter: day.lastQuarter)
            return NextStep.after(app, nil, namesApp: namesApp).map(\.command)
        }
        let usual = HandMadeDay.counts(28)
        let calm = [
            "landfall funnel --tz Europe/Berlin --from today --by campaign",
            "landfall watch --tz Europe/Berlin",
        ]
        #expect(try commands(usual) == calm)
        var rejected = MeasureCounts()
        rejected.add(40, in: [.attempted, .rejected(.payloadError)])
        rejected.add(300, in: [.attempted, .accepted])
        #expect(
            try commands(rejected, namesApp: true).prefix(2) == [
                "landfall doctor --app shop",
                "landfall rejections --app shop --tz Europe/Berlin --from today",
            ])
        #expect(try commands(usual, unmatched: 400).first == "landfall doctor")
        #expect(try commands(usual, rejectedItems: 12).first == "landfall doctor")
        #expect(try commands(usual, rejectedItems: 2) == ["landfall quarantine list --from 24h"] + calm)
        var few = MeasureCounts()
        few.add(3, in: [.attempted, .accepted])
        #expect(try commands(few).first == "landfall doctor")
    }

    @Test("reads its options without its name, and reports a misspelled command")
    func parsing() throws {
        #expect(try Landfall.parseAsRoot([]) is TodayCommand)
        #expect(try Landfall.parseAsRoot(["--app", "shop", "--json"]) is TodayCommand)
        #expect(try Landfall.parseAsRoot(["--profile", "shop", "--ndjson"]) is TodayCommand)
        #expect(try Landfall.parseAsRoot(["funnel"]) is FunnelCommand)
        let message = { (words: [String]) -> String in
            do {
                _ = try Landfall.parseAsRoot(words)
                return ""
            } catch { return Landfall.message(for: error) }
        }
        #expect(
            message(["funel"]).contains("'funel' is not a command of landfall. Did you mean 'funnel'?"))
        #expect(message(["funel", "--from", "7d"]).contains("Did you mean 'funnel'?"))
        #expect(message(["--bogus"]).contains("Unknown option '--bogus'"))
        #expect(message(["--tz", "Europe/Berln"]).contains("did you mean 'Europe/Berlin'?"))
    }

    @Test(
        "says what to do first if there is no database, and creates none",
        arguments: [[], ["--json"], ["--html"], ["watch"]])
    func nothing(arguments: [String]) throws {
        let folder = try ThrowawayFolder.create(for: "today")
        defer { try? folder.remove() }
        let data = folder.url.appendingPathComponent("data")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("landfall")
        process.arguments = arguments
        process.environment = ["LANDFALL_DATA": data.path, "HOME": folder.url.path]
        let pipe = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, pipe, pipe
        )
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let isWatch = arguments == ["watch"]
        #expect(process.terminationStatus == (isWatch ? 1 : 0))
        #expect(output.contains(isWatch ? "requires a terminal" : "landfall demo"), "\(output)")
        #expect(FileManager.default.fileExists(atPath: data.path) == false)
    }
}
