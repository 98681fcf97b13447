import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

/// The parts of sql/reports/counters.sql and latency.sql, which read days and quarter hours, against the sums
/// of the quarter hours.
@Suite(.database) struct DayRollupTests {
    struct Counters: CustomTestStringConvertible, Sendable {
        let function: String
        let arguments: String
        /// The table that writers count in.
        let table: String
        /// The view of everything counted, folded or not.
        let all: String
        let keys: String
        /// Expressions that make rows of one writer from `quarter` and `dice`.
        let columns: String
        let values: String

        var testDescription: String { function + arguments }

        static let all = [
            Counters(
                function: "counters", arguments: ", true", table: "counter_live", all: "counter_by_quarter",
                keys: "campaign_id, segment_id, response_id, state",
                columns: "app_id, quarter, campaign_id, segment_id, response_id, state, shard, notifications",
                values:
                    "1, quarter, 1 + dice % 2, 1 + dice / 2 % 3, dice / 6 % 2, 1 + dice / 12 % 40, $3, 1 + dice % 7"
            ),
            Counters(
                function: "counters", arguments: ", false", table: "counter_live", all: "headline_by_quarter",
                keys: "campaign_id, state",
                columns: "app_id, quarter, campaign_id, segment_id, response_id, state, shard, notifications",
                values:
                    "1, quarter, 1 + dice % 2, 1 + dice / 2 % 3, dice / 6 % 2, 1 + dice / 12 % 40, $3, 1 + dice % 7"
            ),
            Counters(
                function: "latency_counters", arguments: "", table: "latency_rollup", all: "latency_rollup",
                keys: "campaign_id, stage, bucket",
                columns: "app_id, quarter, campaign_id, stage, bucket, shard, notifications",
                values: "1, quarter, 1 + dice % 2, 'arrival', 1 + dice / 2 % 3, $3, 1 + dice % 7"),
        ]
    }

    /// The loaded time includes a change of daylight saving time in the south and in the north.
    private static let zones = [
        "UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Honolulu",
    ]
    private static let units: [String?] = [nil, "hour", "day", "week", "month"]
    private static let windows = [
        ("2025-10-01T00:00:00Z", "2025-11-05T00:00:00Z"),
        ("2025-10-03T07:15:00Z", "2025-10-27T22:45:00Z"),
        ("2025-10-25T23:30:00Z", "2025-10-26T01:15:00Z"),
    ]
    private let database = TestDatabase.current
    private let bench = MaintenanceFixture()

    private func load(_ counters: Counters, from: String, to: String, shard: Int16) async throws {
        try await database.execute(
            """
            INSERT INTO landfall.\(counters.table) (\(counters.columns))
            SELECT \(counters.values)
              FROM generate_series($1::timestamptz, $2::timestamptz - interval '15 minutes', interval '15 minutes') AS quarter
             CROSS JOIN LATERAL (
                SELECT (hashtextextended(quarter::text, $3) & 2147483647)::bigint AS dice
             ) AS chance
             WHERE dice % 3 <> 0
            """, [.value(try instant(from)), .value(try instant(to)), .value(shard)])
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func createFunctions() async throws {
        try await database.createFunction(
            """
            public.counters(bigint, timestamptz, timestamptz, text, text, boolean)
            RETURNS TABLE (period timestamp, utc_offset_minutes integer, campaign_id bigint, segment_id bigint,
                           response_id bigint, state integer, notifications bigint)
            """, part: "counters", of: "reports/counters")
        try await database.createFunction(
            """
            public.latency_counters(bigint, timestamptz, timestamptz, text, text)
            RETURNS TABLE (period timestamp, utc_offset_minutes integer, campaign_id bigint, stage text,
                           bucket smallint, notifications bigint)
            """, part: "latency_counters", of: "reports/latency")
    }

    /// Returns the number of rows from the function, and how many differ.
    private func compare(_ counters: Counters, zone: String, unit: String?, _ window: (String, String))
        async throws -> (rows: Int64, differences: Int64)
    {
        let parameters: [PostgresParameter] = [
            .value(try instant(window.0)), .value(try instant(window.1)), .value(zone), .value(unit),
        ]
        let counts = try await database.query(
            """
            WITH asked AS (
                SELECT period, utc_offset_minutes, \(counters.keys), sum(notifications)::bigint
                  FROM public.\(counters.function)(1, $1, $2, $3, $4\(counters.arguments))
                 GROUP BY period, utc_offset_minutes, \(counters.keys)
                HAVING sum(notifications) <> 0
            ), counted AS (
                SELECT CASE WHEN $4 IS NOT NULL THEN date_trunc($4, quarter AT TIME ZONE $3) END AS period,
                       CASE WHEN $4 = 'hour'
                            THEN (extract(epoch FROM (quarter AT TIME ZONE $3) - (quarter AT TIME ZONE 'UTC')) / 60)::int
                       END AS utc_offset_minutes,
                       \(counters.keys), sum(notifications)::bigint
                  FROM landfall.\(counters.all)
                 WHERE app_id = 1 AND quarter >= $1 AND quarter < $2
                 GROUP BY 1, 2, \(counters.keys)
            ), differing AS (
                (TABLE asked EXCEPT ALL TABLE counted) UNION ALL (TABLE counted EXCEPT ALL TABLE asked)
            )
            SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM differing)
            """, parameters
        ) { [try $0.get(0, as: Int64.self), try $0.get(1, as: Int64.self)] }
        return (try #require(counts.first?.first), try #require(counts.first?.last))
    }

    private func expectEqual(_ counters: Counters, _ moment: String) async throws {
        for zone in Self.zones {
            for unit in Self.units {
                for window in Self.windows {
                    let (rows, differences) = try await compare(counters, zone: zone, unit: unit, window)
                    #expect(rows > 0, "\(moment), \(zone), \(unit ?? "whole"), \(window)")
                    #expect(differences == 0, "\(moment), \(zone), \(unit ?? "whole"), \(window)")
                }
            }
        }
    }

    @discardableResult
    private func maintain(now: String) async throws -> MaintenanceReport {
        let now = try instant(now)
        return try await database.pool.withConnection { try Maintenance().run(now: now, on: $0) }
    }

    @Test(
        "for any unit, zone and window, counters are the sums of quarter hours: unfolded, folded, half folded, with late ones",
        arguments: Counters.all)
    func sums(_ counters: Counters) async throws {
        try await createFunctions()
        for shard in Int16(0)..<2 {
            try await load(counters, from: "2025-10-01T00:00:00Z", to: "2025-11-05T00:00:00Z", shard: shard)
        }
        try await expectEqual(counters, "unfolded")
        try await maintain(now: "2025-10-22T13:40:00Z")
        try await expectEqual(counters, "folded up to within a day")
        try await maintain(now: "2025-11-08T00:00:00Z")
        #expect(
            try await database.count(
                "SELECT count(*) FROM landfall.\(counters.table)"
                    + (counters.table == "latency_rollup" ? " WHERE shard >= 0" : "")) == 0)
        try await expectEqual(counters, "folded")
        try await load(counters, from: "2025-10-24T00:00:00Z", to: "2025-10-28T12:00:00Z", shard: 3)
        try await expectEqual(counters, "with late ones")
        try await maintain(now: "2025-11-08T00:00:00Z")
        try await expectEqual(counters, "with late ones folded")
    }

    @Test(
        "verify finds a day that differs from its quarter hours",
        arguments: ["counter_day", "headline_day", "latency_day_rollup"])
    func verified(days: String) async throws {
        let old = (bench.now - .days(3)).startOfQuarter
        _ = try await bench.writer().write([
            MaintenanceFixture.response(old), MaintenanceFixture.response(old, status: 410),
        ])
        let id = UUID()
        _ = try await bench.writer().write([
            MaintenanceFixture.response(old, id: id),
            MaintenanceFixture.arrival(old, id: id, at: old + .seconds(1)),
        ])
        try await bench.maintain()
        #expect(try await bench.verify().differenceCount == 0)
        try await database.execute("UPDATE landfall.\(days) SET notifications = notifications + 1")
        let verification = try await bench.verify()
        #expect(verification.differenceCount > 0)
        #expect(verification.differences.allSatisfy { $0.table == days && $0.measure == "notifications" })
    }
}
