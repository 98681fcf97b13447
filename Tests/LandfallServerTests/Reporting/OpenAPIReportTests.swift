import Access
import DeliveryModel
import Foundation
import PostgresClient
import Rendering
import Reports
import TestDatabase
import Testing

@testable import LandfallServer

/// What `openapi.yaml` says about reports is written from their routes and columns.
@Suite("The API description of reports", .database) struct OpenAPIReportTests {
    /// `LANDFALL_GOLDEN=write` rewrites the file: read the difference, and build again before the next test.
    @Test("is written from their routes and columns")
    func written() async throws {
        let document = try OpenAPIDocument()
        let reports = try await described(in: document)
        let lines = try document.describing(reports)
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            let text = lines.joined(separator: "\n")
            try Data(text.utf8).write(to: OpenAPIDocument.file, options: .atomic)
        }
        let written = try OpenAPIDocument().lines.map(String.init)
        for (line, expected) in zip(written, lines) { #expect(line == expected) }
        #expect(written.count == lines.count)
        #expect(!lines.contains { $0.contains(DescribedReport.isMissing) })
        #expect(reports.flatMap(\.columnsWithoutNull) == [])
        #expect(reports.allSatisfy { !$0.summary.isEmpty })
        let schemas = reports.filter { !$0.sheets.isEmpty }.flatMap(\.schemas)
        for schema in Set(DescribedReport.byHand.values) {
            let reference = "'#/components/schemas/\(schema)'"
            #expect(schemas.contains { $0.contains(reference) }, "\(schema) is not used")
        }
    }

    @Test("refers, as the rest of the description does, only to what is there")
    func references() throws {
        let document = try OpenAPIDocument()
        var found: Set<[String]> = []
        for line in document.lines {
            for match in line.matches(of: #/'#/components/(\w+)/(\w+)'/#) {
                found.insert([String(match.1), String(match.2)])
            }
        }
        #expect(found.count > 100)
        for names in found {
            #expect(!document.section("components", names[0], names[1]).isEmpty, "\(names)")
        }
    }

    /// Every report with its sheets for an app without events; the day has none.
    private func described(in document: OpenAPIDocument) async throws -> [DescribedReport] {
        let (app, _) = try await TestServer.makeApp("shop")
        let now = Instant.now
        return try await TestDatabase.current.pool.withConnection { connection in
            try ReportRoute.all.map { route in
                let sheets = try DescribedReport.questions(to: route).compactMap { query -> Sheet? in
                    let question = try route.read(QueryParameters(query: query), app, now)
                    return try question.response(connection, 1_000).shown as? Sheet
                }
                return DescribedReport(
                    route: route, sheets: sheets, summary: document.summary(of: route.name))
            }
        }
    }
}
