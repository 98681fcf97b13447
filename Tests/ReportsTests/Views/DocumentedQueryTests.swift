import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

/// The queries of docs/sql.md, those for Grafana among them, run by a role that may read only the views.
@Suite("Documented queries", .database) struct DocumentedQueryTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/sql.md")

    /// The SQL blocks of the page.
    private func queries() throws -> [String] {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        return text.components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// The query with macros and variables replaced as Grafana does.
    private func writtenOut(_ query: String, from: Instant, to: Instant) -> String {
        query.replacing("$app", with: "shop").replacing(#/\$__timeFilter\((\w+)\)/#) { match in
            "\(match.1) BETWEEN '\(from.rfc3339)' AND '\(to.rfc3339)'"
        }
    }

    /// Adds 120 pushes a few minutes ago.
    private func addTraffic() async throws {
        try await TestDatabase.current.addSegment()
        let sentAt = (Instant.now - .minutes(5)).rfc3339
        let clicked: DeliveryState = [.attempted, .accepted, .canReport, .arrived, .clicked]
        let states: [DeliveryState] = [
            clicked, [.attempted, .accepted, .canReport, .arrived], [.attempted, .accepted, .canReport],
            [.attempted, .rejected(.tokenDead)],
        ]
        try await TestDatabase.current.add(
            (0..<120).map { number in
                SentNotification(sentAt, states[number % states.count], campaign: Int64(number % 3 + 1))
            })
        try await RandomLedger(seed: 5, from: .now - .days(12)).write(to: TestDatabase.current)
    }

    @Test("run, and find what exists")
    func run() async throws {
        let queries = try queries()
        #expect(queries.count == 15)
        try await addTraffic()
        let now = Instant.now
        try await ReportReader.with { reader in
            for query in queries {
                let rows = try reader.query(writtenOut(query, from: now - .days(3), to: now + .days(1)))
                #expect(rows.count > 0, "\(query)")
            }
        }
    }

    @Test("give the same intervals as the reports")
    func wilson() async throws {
        let query = try #require(try queries().first { $0.contains("wilson") })
        try await addTraffic()
        try await ReportReader.with { reader in
            let rows = try reader.query(
                """
                SELECT clicked::bigint AS clicked, confirmed::bigint AS confirmed, low, high
                FROM (\(query.replacing(";", with: ""))) AS response
                """)
            #expect(rows.count == 2)
            for row in rows {
                let proportion = Proportion(try row.get("clicked"), of: try row.get("confirmed"))
                let interval = try #require(proportion.interval)
                #expect(abs(try row.get("low", as: Double.self) - interval.lowerBound) < 1e-12)
                #expect(abs(try row.get("high", as: Double.self) - interval.upperBound) < 1e-12)
            }
        }
    }
}
