import SQLFiles
import Testing

@Suite("Statements") struct StatementTests {
    @Test("are named after their chapters, and only once if both have one name")
    func names() {
        #expect(SQLFile.Tokens.markStale.name == "tokens/sweep/mark_stale")
        #expect(SQLFile.Reports.latency.name == "reports/latency")
        #expect(SQLFile.Reports.latencyByTraits.name == "reports/latency/latency_by_traits")
        #expect(SQLFile.Reports.reach.name == "reports/reach")
        #expect(Set(SQLFile.all.map(\.name)).count == SQLFile.all.count)
    }

    @Test("begin with a name that PostgreSQL does not shorten, and have numbers instead of masks")
    func shape() {
        #expect(SQLFile.all.count > 300)
        for file in SQLFile.all {
            #expect(file.name.utf8.count < 64, "\(file.name)")
            #expect(file.text.hasSuffix("\n"), "\(file.name)")
            #expect(!file.text.contains(/-- (name|part):|\{\{/), "\(file.name)")
        }
    }

    @Test("are sent without lines of comments, except for migrations and roles")
    func comments() {
        for file in SQLFile.all where !file.name.hasPrefix("roles/") {
            #expect(file.text.hasPrefix("/* landfall \(file.name) */\n"), "\(file.name)")
            #expect(!file.text.contains(/\n *--/), "\(file.name)")
        }
        for file in [SQLFile.migrations[0], SQLFile.Roles.reportReader] {
            #expect(file.text.hasPrefix("-- ") && file.text.contains(/\n +--/), "\(file.name)")
        }
    }

    @Test("contain the columns of lists and the text that they share")
    func lists() {
        let text = SQLFile.Ingestion.recordDeliveries.text
        #expect(text.contains("excluded.expires_at), content_available = coalesce(known.content_available, "))
        #expect(text.contains("THEN excluded.sender ELSE known.sender END, provider_id = CASE WHEN "))
        #expect(text.contains("unnest($1::landfall.delivery_event[])"))
        #expect(SQLFile.Stories.pushes.text.contains("delivery.expires_at, delivery.sender, "))
        #expect(SQLFile.Reports.latency.text.contains("AND ($8 IS NULL OR key = ANY ($8)) AND ($9 IS NULL"))
        #expect(SQLFile.Reports.unmatched.text.contains("landfall.report_quarters($2, $3, 'UTC', NULL)"))
        #expect(SQLFile.Reports.reach.text.contains(/CASE \$11 WHEN 'provider' THEN segment\.provider .*\n/))
        #expect(SQLFile.Maintenance.buildSpanSketches.text.contains("DO UPDATE"))
    }
}
