import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Windows of any length", .database) struct LongWindowDatabaseTests {
    private var database: TestDatabase { .current }
    private let now = instant("2026-03-04T12:00:00Z")

    private func query(from: String, to: String = "2026-03-04", by: [String] = []) throws -> ReportQuery {
        try ReportRequest(from: from, to: to, timeZone: "Europe/Berlin", by: by).query(for: shop, now: now)
    }

    private func addSome() async throws {
        let arrived: DeliveryState = [.attempted, .accepted, .canReport, .arrived]
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-01T10:07:00Z", arrived, segment: 1),
            .init("2026-03-02T10:20:00Z", [.attempted, .rejected(.tokenDead)], segment: 3),
            .init("2026-03-03T23:59:00Z", arrived, campaign: 2, segment: 4),
        ])
    }

    private func asked(_ query: ReportQuery) async throws -> Range<Instant> {
        try await database.pool.withConnection { try query.clamped(on: $0).asked }
    }

    @Test("read the counters only for the time that has any")
    func clamped() async throws {
        #expect(try await asked(query(from: "1970-01-01")).isEmpty)
        try await addSome()
        let counted = instant("2026-03-01T10:00:00Z")..<instant("2026-03-04T00:00:00Z")
        #expect(try await asked(query(from: "1970-01-01", to: "2300-01-01")) == counted)
        // Time past the window stays out: the 4th begins in Berlin at 23:00 UTC.
        #expect(
            try await asked(query(from: "1970-01-01"))
                == counted.lowerBound..<instant("2026-03-03T23:00:00Z"))
        let march = try query(from: "2026-03-01")
        #expect(try await asked(march) == march.window.from..<march.window.to)
        #expect(try await asked(query(from: "1970-01-01", to: "2026-01-01")).isEmpty)
        let other = try query(from: "1970-01-01")
        #expect(other.window.from == instant("1969-12-31T23:00:00Z"))
    }

    @Test(
        "give the same numbers as shorter ones, and print the requested window",
        arguments: [["app_version"], ["day"]])
    func same(dimensions: [String]) async throws {
        try await addSome()
        let (long, short) = (
            try query(from: "1970-01-01", by: dimensions), try query(from: "2026-03-01", by: dimensions)
        )
        let now = now
        let (wide, narrow) = try await database.pool.withConnection { connection in
            (
                try FunnelReport.run(long, on: connection, now: now),
                try FunnelReport.run(short, on: connection, now: now)
            )
        }
        #expect(wide.rows == narrow.rows)
        #expect(wide.rows.isEmpty == false)
        #expect(wide.totals == narrow.totals)
        #expect(wide.document.lineText.contains(#""from":"1970-01-01T00:00:00+01:00""#))
        let losses = try await database.pool.withConnection { connection in
            (
                try LossReport.run(long, on: connection, now: now).rows,
                try LossReport.run(short, on: connection, now: now).rows
            )
        }
        #expect(losses.0 == losses.1)
        let rejections = try await database.pool.withConnection { connection in
            (
                try RejectionsReport.run(long, on: connection, now: now).rows,
                try RejectionsReport.run(short, on: connection, now: now).rows
            )
        }
        #expect(rejections.0 == rejections.1)
        #expect(rejections.0.count == 1)
        let reaches = try await database.pool.withConnection { connection in
            (
                try ReachReport.run(long, on: connection, now: now).rows,
                try ReachReport.run(short, on: connection, now: now).rows
            )
        }
        #expect(reaches.0 == reaches.1)
        #expect(reaches.0.isEmpty == false)
    }
}
