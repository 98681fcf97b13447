import DeliveryModel
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Needs the extension `hll` on the server's machine. `.ci/setup` installs it; without it these tests fail
/// and say so.
@Suite("Reach sketches", .database) struct ReachSketchTests {
    private let bench = SketchFixture()
    private var database: TestDatabase { bench.database }

    /// Sets of up to 1,280 installations are stored exactly, so a small estimate is exact.
    private func expectExact(
        by dimensions: [Dimension] = [], zone: String = "UTC", filters: [ReportFilter] = [],
        from: Instant? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let exact = try await bench.reach(
            by: dimensions, zone: zone, filters: filters, from: from, exactly: true)
        let sketched = try await bench.reach(by: dimensions, zone: zone, filters: filters, from: from)
        #expect(sketched.standardError != nil, sourceLocation: sourceLocation)
        #expect(sketched.totals == exact.totals, sourceLocation: sourceLocation)
        #expect(sketched.rows == exact.rows, sourceLocation: sourceLocation)
    }

    @Test(
        "estimate within four standard errors of the exact count, for any breakdown and time zone")
    func near() async throws {
        try await bench.fill(installations: 4_000, rows: 4_000)
        #expect(try await bench.verify().differenceCount == 0)
        try await bench.sketch()
        for dimensions in [[], [.day], [.campaign], [.hour], [.day, .variant]] as [[Dimension]] {
            for zone in ["UTC", "America/New_York", "Asia/Kathmandu"] {
                try await compare(by: dimensions, zone: zone)
            }
        }
    }

    private func compare(by dimensions: [Dimension], zone: String) async throws {
        let exact = try await bench.reach(by: dimensions, zone: zone, exactly: true)
        let sketched = try await bench.reach(by: dimensions, zone: zone)
        #expect(exact.standardError == nil)
        let error = try #require(sketched.standardError)
        #expect(exact.totals.targeted > 3_500)
        #expect(sketched.rows.count == exact.rows.count)
        let found = Dictionary(uniqueKeysWithValues: sketched.rows.map { ($0.key, $0.counts) })
        var pairs = [(exact.totals, sketched.totals)]
        for row in exact.rows { pairs.append((row.counts, try #require(found[row.key]))) }
        for (counted, estimated) in pairs {
            for count in [\ReachReport.Counts.targeted, \.reached, \.engaged] {
                let difference = abs(Double(counted[keyPath: count] - estimated[keyPath: count]))
                #expect(difference <= 4 * error * Double(counted[keyPath: count]) + 1)
            }
            #expect(counted.withoutTarget == estimated.withoutTarget)
        }
    }

    @Test("what is ingested after a sketch was built is in the result, before and after it is rebuilt")
    func late() async throws {
        try await bench.fill(installations: 400, rows: 400)
        try await bench.sketch()
        let before = try await bench.reach().totals
        try await expectExact(by: [.day])
        for round in 0..<2 {
            try await bench.click(40, onDay: 1)
            try await bench.click(20, onDay: 3)
            #expect(try await bench.reach().totals.engaged > before.engaged)
            try await expectExact()
            try await expectExact(by: [.day], zone: "Asia/Kathmandu")
            try await expectExact(by: [.campaign])
            #expect(try await bench.verify().differenceCount == 0)
            if round == 0 { #expect(try await bench.sketch().days == 2) }
        }
    }

    @Test("filters by campaign and variant use the sketches of campaigns")
    func filters() async throws {
        try await bench.fill(installations: 400, rows: 400)
        try await bench.sketch()
        try await expectExact(filters: [ReportFilter(.campaign, ["campaign-00", "campaign-03"])])
        try await expectExact(by: [.day], filters: [ReportFilter(.campaign, [""])])
        try await expectExact(by: [.campaign], filters: [ReportFilter(.variant, ["A"])])
    }

    @Test("where sketches cover the window, no notification is read")
    func sketchesOnly() async throws {
        try await bench.fill(installations: 400, rows: 400)
        try await bench.sketch()
        let before = try await bench.reach(by: [.day])
        try await database.execute("TRUNCATE landfall.delivery")
        let after = try await bench.reach(by: [.day])
        #expect(after.rows == before.rows)
        #expect(after.totals == before.totals)
        #expect(after.totals.targeted > 300)
        #expect(try await bench.reach(exactly: true).totals.targeted == 0)
    }

    @Test("a token counts for its holder at the time of the report")
    func looseTokens() async throws {
        try await bench.fill(installations: 400, rows: 400)
        // Half of the notifications were sent to unregistered tokens; two in a hundred have no target at all.
        try await database.execute(
            "UPDATE landfall.delivery SET installation_id = NULL WHERE installation_id % 2 = 0")
        try await database.execute(
            "UPDATE landfall.delivery SET token_id = NULL WHERE installation_id IS NULL AND token_id % 50 = 0"
        )
        try await database.execute(
            "UPDATE landfall.token SET installation_id = NULL WHERE installation_id % 2 = 0")
        try await bench.sketch()
        try await expectExact(by: [.day])
        let unregistered = try await bench.reach().totals
        #expect(unregistered.withoutTarget > 0)
        // One installation registers twenty of them.
        try await database.execute(
            """
            UPDATE landfall.token SET installation_id = 1
             WHERE token_id IN (SELECT token_id FROM landfall.token WHERE installation_id IS NULL ORDER BY token_id LIMIT 20)
            """)
        #expect(try await bench.sketch().sketches == 0)
        try await expectExact(by: [.day])
        #expect(try await bench.reach().totals.targeted < unregistered.targeted)
    }

    @Test("only hours that are over are sketched, and none twice")
    func bounds() async throws {
        try await bench.fill(installations: 100, rows: 200)
        let evening = bench.firstDay + .days(4) + .hours(20)
        let first = try await bench.sketch(at: evening)
        #expect(first.days == 5)
        let latest = """
            SELECT max(starts_at + quarters * interval '15 minutes')
              FROM landfall.reach_sketch WHERE campaign_id = 0
            """
        let end = try await database.query(latest) { try $0.get(0, as: Instant.self) }.first
        #expect(end == evening - .hours(1))
        try await expectExact(by: [.day])
        #expect(try await bench.sketch(at: evening).sketches == 0)
        #expect(try await bench.sketch().days == 1)
        let days = "SELECT count(*) FROM landfall.reach_sketch WHERE quarters = 96 AND campaign_id = 0"
        #expect(try await database.count(days) == 5)
    }

    @Test("short windows, traits and exact requests get the exact count")
    func exactly() async throws {
        try await bench.fill(installations: 100, rows: 200)
        #expect(try await bench.reach().standardError == nil)
        try await bench.sketch()
        #expect(try await bench.reach().standardError == ReachSketches.standardError)
        #expect(try await bench.reach(days: 3).standardError == nil)
        #expect(try await bench.reach(by: [.appVersion]).standardError == nil)
        #expect(try await bench.reach(filters: [ReportFilter(.language, ["de"])]).standardError == nil)
        try await database.execute("DROP EXTENSION hll")
        #expect(try await bench.reach().standardError == nil)
        #expect(try await bench.sketch() == MaintenanceReport.Sketched())
    }

    @Test("maintenance sketches where the extension exists, counts the audience, and removes unused sketches")
    func maintenance() async throws {
        try await bench.fill(installations: 100, rows: 200)
        let now = bench.now
        func maintain(_ retention: Span) async throws -> MaintenanceReport {
            try await database.pool.withConnection {
                try Maintenance(MaintenanceSettings(retention: retention)).run(now: now, on: $0)
            }
        }
        let report = try await maintain(.days(30))
        #expect(report.sketched.days == 5)
        #expect(report.sketchesRemoved == 0)
        try await database.execute("UPDATE landfall.token SET state = 'retired' WHERE token_id % 2 = 0")
        #expect(try await bench.reach().audience == 100)
        #expect(try await bench.reach().audienceAsOf == now)
        #expect(try await bench.reach(exactly: true).audience == 50)
        let later = try await maintain(.days(3))
        #expect(later.sketchesRemoved > 0)
        #expect(later.sketched.days == 0)
        let oldest = "SELECT min(starts_at) FROM landfall.reach_sketch"
        let kept = try await database.query(oldest) { try $0.get(0, as: Instant.self) }.first
        let keptFrom = bench.firstDay + .days(Int64(later.daysDropped.count))
        #expect(kept == keptFrom)
        try await expectExact(by: [.day], from: keptFrom)
        // Counters still know what was sent before; sketches and notifications do not.
        await #expect(throws: ReportError.self) { try await bench.reach() }
        await #expect(throws: ReportError.self) { try await bench.reach(exactly: true) }
    }

    @Test("an estimate that is slightly off still adds up")
    func estimatesAddUp() async throws {
        try await bench.fill(installations: 3_000, rows: 3_000)
        try await bench.sketch()
        let report = try await bench.reach(by: [.campaign])
        for counts in report.rows.map(\.counts) + [report.totals] {
            #expect(counts.engaged <= counts.reached)
            #expect(counts.reached <= counts.targeted)
        }
    }
}
