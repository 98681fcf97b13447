import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("The views for external tools", .database) struct ReportViewTests {
    private var database: TestDatabase { .current }

    private func names(_ text: String) async throws -> [String] {
        try await database.query(text) { try $0.get(0, as: String.self) }
    }

    @Test("say what they are, and what each column is")
    func comments() async throws {
        let silent = try await names(
            """
            SELECT c.oid::regclass || coalesce('.' || a.attname, '')
            FROM pg_class AS c
            CROSS JOIN LATERAL (
                SELECT NULL::name AS attname, 0 AS attnum
                UNION ALL SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
            ) AS a
            WHERE c.relnamespace = 'report_v1'::regnamespace AND c.relkind = 'v'
              AND coalesce(CASE WHEN a.attnum = 0 THEN obj_description(c.oid, 'pg_class')
                                ELSE col_description(c.oid, a.attnum) END, '') = ''
            """)
        #expect(silent == [])
    }

    @Test("contain nothing that identifies a person or a device")
    func nothingPersonal() async throws {
        let columns = try await names(
            "SELECT DISTINCT column_name::text FROM information_schema.columns WHERE table_schema = 'report_v1'"
        )
        #expect(columns.count > 30)
        let personal = [
            "_id", "token_value", "fingerprint", "sealed", "device", "account", "installation", "digest",
            "tags",
            "model", "evidence",
        ]
        for column in columns {
            #expect(!personal.contains { column.contains($0) }, "\(column)")
        }
    }

    private let clicked: DeliveryState = [.attempted, .accepted, .canReport, .arrived, .clicked]
    private let rejected: DeliveryState = [.attempted, .rejected(.tokenDead)]

    /// The sums of a view's measures, over all of its rows.
    private func sums(_ view: String, where condition: String = "true") async throws -> [Int64] {
        let list = Measure.allCases.map { "coalesce(sum(\($0.rawValue)), 0)::bigint" }.joined(separator: ", ")
        let rows = try await database.query("SELECT \(list) FROM report_v1.\(view) WHERE \(condition)") {
            row in
            try Measure.allCases.indices.map { try row.get($0, as: Int64.self) }
        }
        return rows.first ?? []
    }

    @Test("add up to the counters, every measure of them")
    func measures() async throws {
        try await database.addSegment()
        try await database.add([
            .init("2026-02-28T23:59:59Z", clicked), .init("2026-03-01T00:00:00Z", clicked, campaign: 2),
            .init("2026-03-01T12:07:00Z", rejected, campaign: 3),
            .init("2026-03-01T12:08:00Z", clicked, campaign: 2),
            .init("2026-03-02T00:00:00Z", [.attempted, .accepted, .recalled]),
            .init("2026-03-01T10:00:00Z", .arrived),
        ])
        var expected = MeasureCounts()
        for (state, count) in [(clicked, 3), (rejected, 1), ([.attempted, .accepted, .recalled], 1)]
            as [(DeliveryState, Int64)]
        {
            expected.add(count, in: state)
        }
        for view in ["funnel_by_quarter", "funnel_by_day", "funnel_by_campaign", "funnel_by_segment"] {
            #expect(try await sums(view) == Measure.allCases.map { expected[$0] }, "\(view)")
            #expect(try await sums(view, where: "app = 'news'").allSatisfy { $0 == 0 }, "\(view)")
            #expect(try await database.count("SELECT sum(rejected)::bigint FROM report_v1.\(view)") == 1)
        }
        let days = try await names("SELECT day || ' ' || attempted FROM report_v1.funnel_by_day ORDER BY day")
        #expect(days == ["2026-02-28 1", "2026-03-01 3", "2026-03-02 1"])
        let campaigns = try await names(
            """
            SELECT campaign || '/' || variant || ' ' || attempted FROM report_v1.funnel_by_campaign
            WHERE day = '2026-03-01' ORDER BY 1
            """)
        #expect(campaigns == ["spring/A 2", "spring/B 1"])
        #expect(try await names("SELECT DISTINCT app_version FROM report_v1.funnel_by_segment") == ["7.1.0"])
        #expect(
            try await database.count("SELECT sum(unmatched)::bigint FROM report_v1.unmatched_by_day") == 1)
    }

    @Test("know how many tokens were in which state at the end of a day", arguments: 0..<8 as Range<UInt64>)
    func tokens(seed: UInt64) async throws {
        try await database.addAppsAndCampaigns()
        let first = Instant.now.startOfUTCDay - .days(25)
        let ledger = RandomLedger(seed: seed, from: first)
        try await ledger.write(to: database)
        for day in 0..<26 {
            let end = first + .days(Int64(day) + 1)
            let rows = try await database.query(
                """
                SELECT state, sum(tokens)::bigint FROM report_v1.tokens_by_day
                WHERE app = 'shop' AND day = (($1::timestamptz - interval '1 second') AT TIME ZONE 'UTC')::date
                GROUP BY state
                """, [.value(end)]
            ) { (try $0.get(0, as: String.self), try $0.get(1, as: Int64.self)) }
            var counts = StateCounts()
            for (state, count) in rows { counts[try #require(TokenState(rawValue: state))] = count }
            #expect(counts == ledger.tokens(asOf: end, knownAt: Instant.now) { _ in true }, "\(end.rfc3339)")
        }
    }

    @Test("have a row for each day since the first, even for quiet ones, up to today")
    func quietDays() async throws {
        try await database.addAppsAndCampaigns()
        try await RandomLedger(seed: 3, from: Instant.now.startOfUTCDay - .days(60)).write(to: database)
        let gaps = try await database.count(
            """
            SELECT count(*) FROM (
                SELECT day - lag(day) OVER (PARTITION BY provider, kind, environment, state ORDER BY day) AS step
                FROM report_v1.tokens_by_day) AS stepped
            WHERE step <> 1
            """)
        #expect(gaps == 0)
        #expect(
            try await database.count(
                "SELECT count(*) FROM report_v1.tokens_by_day WHERE day = (now() AT TIME ZONE 'UTC')::date")
                > 0)
    }
}

extension TestDatabase {
    /// Adds apps and campaigns, and the segment of what is added.
    func addSegment() async throws {
        try await addAppsAndCampaigns()
        try await execute(
            """
            INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform,
                                          app_version, os_version, language, permission)
            VALUES (1, 'apns', 'production', 'com.example.shop', 'alert', '10', 'ios', '7.1.0', '18.1', 'de', 'authorized')
            """)
    }
}
