import Foundation
import Ingestion
import PrometheusMetrics
import Settings
import Testing

@testable import LandfallServer

/// docs/operations.md agrees with the program.
@Suite struct DocumentationTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the tables below a heading, as written.
    private func rows(below heading: String) throws -> [String] {
        let file = Self.package.appendingPathComponent("docs/operations.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "## \(heading)"))
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }
    }

    /// Records the rows to add and to remove.
    private func compare(_ documented: [String], _ expected: [String]) {
        for line in expected where !documented.contains(line) { Issue.record("missing: \(line)") }
        for line in documented where !expected.contains(line) { Issue.record("not so: \(line)") }
        let isSame = documented == expected
        #expect(isSame, "the same rows, in the same order")
    }

    private func row(_ setting: ServerSetting) -> String {
        let names = [setting.flag, setting.environmentVariable].compactMap { $0 }.map { "`\($0)`" }
        let standard = setting.defaultText.isEmpty ? "–" : "`\(setting.defaultText)`"
        let unit = setting.unit.isEmpty ? "" : " \(setting.unit)"
        return
            "| `\(setting.name)` | \(names.joined(separator: ", ")) | \(standard)\(unit) | \(setting.summary) |"
    }

    private func row(_ metric: MetricDescription) -> String {
        let labels = metric.labels.isEmpty ? "" : "{\(metric.labels.joined(separator: ","))}"
        return "| `\(metric.name)\(labels)` | \(metric.kind.rawValue) | \(metric.help) |"
    }

    @Test("the table of settings is the list of settings")
    func settings() throws {
        compare(try rows(below: "Settings"), ServerSetting.all.map(row))
    }

    @Test("the table of metrics is the list of metrics")
    func metrics() throws {
        compare(try rows(below: "Metrics"), MetricCatalog.all.map(row))
    }

    @Test("docs/http.md names every report over HTTP and the command that prints the same")
    func reports() throws {
        let file = Self.package.appendingPathComponent("docs/http.md")
        let documented = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("| `/v1/reports/") }
        let expected = ReportRoute.all.map { route in
            let command =
                route.name == "tokens" ? "tokens waterfall" : route.name.replacing("/", with: " ")
            return "| `/v1/reports/\(route.name)` | `landfall \(command) --json` |"
        }
        compare(documented, expected)
    }

    @Test("every code in the server's responses is explained")
    func codes() throws {
        let explained = try rows(below: "Error codes").joined(separator: "\n")
        let responded = try ProblemCodes.all()
        #expect(responded.count > ItemRejection.Code.allCases.count)
        for code in responded.sorted() where !explained.contains("`\(code)`") {
            Issue.record("\(code) is not explained")
        }
    }
}
