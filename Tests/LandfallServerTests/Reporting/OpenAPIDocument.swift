import Foundation
import Testing

@testable import LandfallServer

/// `openapi.yaml`, read by its indentation: two spaces for each level. It is written by hand, except for the
/// parameters and responses of reports, and the schemas of their documents.
struct OpenAPIDocument {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/LandfallServer/Resources/openapi.yaml")

    /// The lines before and after the schemas that are not written by hand.
    private static let opening = "    # Written from the columns: LANDFALL_GOLDEN=write, OpenAPIReportTests"
    private static let ending = "    # The end of what is written from the columns"

    let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    init() throws {
        self.init(try String(contentsOf: Self.file, encoding: .utf8))
    }

    /// The lines below a path of names, such as `components`, `schemas`, `When`.
    func section(_ names: String...) -> [Substring] {
        var found = lines[...]
        for (depth, name) in names.enumerated() {
            let indentation = String(repeating: " ", count: depth * 2)
            guard let start = found.firstIndex(where: { $0 == "\(indentation)\(name):" }) else { return [] }
            found = found[(start + 1)...].prefix { $0.isEmpty || $0.hasPrefix(indentation + " ") }
        }
        return Array(found)
    }

    /// Names below a path of names.
    func names(_ section: [Substring], depth: Int) -> [String] {
        let indentation = String(repeating: " ", count: depth * 2)
        return section.filter { $0.hasPrefix(indentation) && !$0.dropFirst(indentation.count).hasPrefix(" ") }
            .compactMap { $0.wholeMatch(of: #/ *([^: ]+):( \{.*)?/#).map { String($0.1) } }
    }

    /// Every operation, such as `GET /v1/tokens`.
    var operations: [String] {
        let methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]
        return names(section("paths"), depth: 1).flatMap { path in
            names(section("paths", path), depth: 2).filter(methods.contains).map {
                "\($0.uppercased()) \(path)"
            }
        }
    }

    /// The parameters of a GET, its own and those it refers to.
    func parameters(of path: String) -> [String] {
        section("paths", path, "get", "parameters").compactMap { line in
            if let own = line.firstMatch(of: #/- name: (\S+)/#) { return String(own.1) }
            guard let reference = line.firstMatch(of: #/components/parameters/(\w+)/#) else { return nil }
            let shared = section("components", "parameters", String(reference.1))
            return shared.compactMap { $0.firstMatch(of: #/^ +name: (\S+)$/#).map { String($0.1) } }.first
        }
    }

    /// The items of a list with one item per line.
    func list(_ section: [Substring]) -> [String] {
        section.compactMap { $0.firstMatch(of: #/^ +- (\w+)$/#).map { String($0.1) } }
    }
}

// MARK: - Reports

extension OpenAPIDocument {
    /// The summary of a report's path without its first word, `Report`.
    func summary(of report: String) -> String {
        let summary = section("paths", "/v1/reports/\(report)", "get").first { $0.contains(" summary: ") }
        return String(summary?.firstMatch(of: #/ summary: Report (.*)$/#)?.1 ?? "")
    }

    /// The component of a report's parameter: one of this report alone, one with the same name as the
    /// parameter, or one that states its name.
    func parameter(_ name: String, of report: String) -> String {
        let components = names(section("components", "parameters"), depth: 2)
        let pascal = DescribedReport.pascal(name)
        return [report + pascal, pascal].first(where: components.contains)
            ?? components.first { section("components", "parameters", $0).contains("      name: \(name)") }
            ?? name
    }

    /// The document with what is written from these reports.
    func describing(_ reports: [DescribedReport]) throws -> [String] {
        var lines = lines.map(String.init)
        for report in reports {
            let path = try #require(
                lines.firstIndex(of: "  /v1/reports/\(report.route.name):"),
                "the path of \(report.route.name) begins by hand, up to `parameters:`")
            let isNext = { (line: String) in !line.isEmpty && !line.hasPrefix("   ") }
            let end = lines[(path + 1)...].firstIndex(where: isNext) ?? lines.endIndex
            let start = try #require(lines[path..<end].firstIndex(of: "      parameters:"))
            lines.replaceSubrange(start..<end, with: report.path(self) + [""])
        }
        let opening = try #require(lines.firstIndex(of: Self.opening))
        let ending = try #require(lines.firstIndex(of: Self.ending))
        let sheets = reports.filter { !$0.sheets.isEmpty }
        lines.replaceSubrange((opening + 1)..<ending, with: sheets.flatMap(\.schemas))
        return lines
    }
}
