import DeliveryModel
import Foundation
import Testing

@testable import Reports

@Suite("A report's document")
struct DocumentTests {
    private let frame = """
        "app":"shop","from":"2026-03-01T00:00:00+01:00","to":"2026-03-02T00:00:00+01:00",\
        "time_zone":"Europe/Berlin","cohort":"sent_at",
        """

    private func funnel() throws -> FunnelReport {
        let row = counts([([.attempted, .accepted], 1), ([.attempted, .rejected(.tokenDead)], 1)])
        return try FunnelReport(
            frame: sampleFrame("funnel", by: [.campaign]),
            rows: [CountedRow(key: RowKey([.init(.campaign, nil)]), counts: row)], totals: row, unmatched: 7)
    }

    @Test("has the contract's members for the funnel, in its order")
    func funnelDocument() throws {
        let nulls = #""numerator":null,"denominator":null,"value":null,"low":null,"high":null"#
        let counts = """
            "counts":{"attempted":2,"accepted":1,"rejected":{"token_dead":1},"conflicting":0,"reportable":0,"arrived":0,\
            "confirmed":0,"confirmed_signed":0,"presented":0,"clicked":0,"dismissed":0,"confirmed_unreported":0,\
            "contradicted":0,"misdirected":0},\
            "rates":{"acceptance":{"numerator":1,"denominator":2,"value":0.5,"low":0.09453120573423074,\
            "high":0.9054687942657693},"arrival":{"numerator":0,"denominator":0,"value":null,"low":null,"high":null},\
            "click_through":{"numerator":0,"denominator":0,"value":null,"low":null,"high":null},\
            "arrival_capable":{\(nulls)},"coverage":{\(nulls)},"arrival_estimated":{\(nulls),"recaptures":null,\
            "receipt_loss":{\(nulls)},"reason":"not computed for windows of more than 7 days unless requested (--estimate)"}}
            """
        let expected = """
            {"report":"funnel",\(frame)"unit":"notifications","as_of":"2026-03-01T13:00:00.250+01:00",\
            "rows":[{"key":{"campaign":null},\(counts)}],"totals":{\(counts)},"unmatched":7,"local":0}
            """
        #expect(try funnel().document.lineText == expected)
    }

    @Test("for reach has the audience only in the totals, and its instant")
    func reachDocument() throws {
        let counts = ReachReport.Counts(targeted: 2, reached: 0, engaged: 0, withoutTarget: 3)
        let report = try ReachReport(
            frame: sampleFrame("reach", by: [.day], unit: .installations),
            rows: [.init(key: RowKey([.init(.day, "2026-03-01")]), counts: counts)], totals: counts,
            audience: 0,
            unmatched: 7, audienceReached: 0)
        let reach = """
            "reach":{"numerator":0,"denominator":2,"value":0.0,"low":0.0,"high":0.6576197724933469}
            """
        let expected = """
            {"report":"reach",\(frame)"unit":"installations","as_of":"2026-03-01T13:00:00.250+01:00","exact":true,\
            "audience_as_of":"2026-03-01T13:00:00.250+01:00","rows":[{"key":{"day":"2026-03-01"},\
            "counts":{"audience":null,"targeted":2,"reached":0,"engaged":0},"rates":{\(reach),"audience_reach":null}}],\
            "totals":{"counts":{"audience":0,"targeted":2,"reached":0,"engaged":0},"rates":{\(reach),\
            "audience_reach":{"numerator":0,"denominator":0,"value":null,"low":null,"high":null}}},\
            "unmatched":7,"local":0,"without_target":3}
            """
        #expect(report.document.lineText == expected)
    }

    @Test("for an estimated reach says that it is not exact, and states the standard error")
    func estimatedReach() throws {
        let counts = ReachReport.Counts(targeted: 2, reached: 1, engaged: 0, withoutTarget: 3)
        let report = try ReachReport(
            frame: sampleFrame("reach", by: [], unit: .installations), rows: [], totals: counts, audience: 5,
            unmatched: 0, audienceAsOf: instant("2026-03-01T11:00:00Z"),
            standardError: ReachSketches.standardError)
        #expect(
            report.document.lineText.contains(
                """
                "exact":false,"standard_error":0.008125,"audience_as_of":"2026-03-01T12:00:00+01:00","rows":[]
                """))
        #expect(report.document.lineText.contains(#""audience":5,"targeted":2"#))
        #expect(report.document.lineText.contains(#""audience_reach":null}},"#))
    }

    @Test(
        "for an estimated reach has intervals with the estimate's error, unless there are so few that they are counted"
    )
    func intervalsOfEstimates() throws {
        func report(_ targeted: Int64, standardError: Double?) throws -> ReachReport {
            let counts = ReachReport.Counts(
                targeted: targeted, reached: targeted / 2, engaged: targeted / 4, withoutTarget: 0)
            let key = RowKey([.init(.campaign, "spring")])
            return try ReachReport(
                frame: sampleFrame("reach", by: [.campaign], unit: .installations),
                rows: [.init(key: key, counts: counts)], totals: counts, audience: 2 * targeted, unmatched: 0,
                standardError: standardError)
        }
        func widths(_ report: ReachReport) throws -> [Double] {
            let shares = [
                report.totals.reach, report.totals.engagement, report.rows[0].counts.reach,
            ]
            return try shares.map { share in
                let interval = try #require(share.interval)
                return interval.upperBound - interval.lowerBound
            }
        }
        let error = ReachSketches.standardError
        #expect(try widths(report(1_280, standardError: error)) == widths(report(1_280, standardError: nil)))
        let pairs = zip(
            try widths(report(1_000_000, standardError: error)),
            try widths(report(1_000_000, standardError: nil)))
        for (estimated, counted) in pairs { #expect(estimated > 5 * counted) }
    }

    @Test("for clicks has its five counts and three rates")
    func clicksDocument() throws {
        let report = try ClicksReport(
            frame: sampleFrame("clicks", by: []), rows: [], totals: counts(clickedStates), unmatched: 0)
        let text = report.document.lineText
        #expect(
            text.contains(#""counts":{"accepted":10,"confirmed":8,"clicked":2,"dismissed":1,"presented":1}"#))
        #expect(text.contains(#""click_through":{"numerator":2,"denominator":8,"value":0.25,"#))
        #expect(text.contains(#""click_per_accepted":{"numerator":2,"denominator":10,"value":0.2,"#))
        #expect(text.contains(#""dismissal":{"numerator":1,"denominator":8,"value":0.125,"#))
    }

    @Test("names its filters, one member for each dimension")
    func filters() throws {
        let filters = [
            ReportFilter(.platform, ["ios"]), ReportFilter(.campaign, ["spring"]),
            ReportFilter(.campaign, ["summer"]),
        ]
        let frame = ReportFrame(
            report: "clicks", query: try sampleQuery(by: [], filters: filters), unit: .notifications,
            asOf: instant("2026-03-01T12:00:00Z"))
        let report = try ClicksReport(frame: frame, rows: [], totals: MeasureCounts(), unmatched: 0)
        #expect(
            report.document.lineText.contains(
                #""filters":{"campaign":["spring","summer"],"platform":["ios"]}"#))
    }

    @Test("escapes what would break it or control a terminal")
    func escapes() {
        let text = JSONValue.string("a\"b\\c\n\u{1B}[31m\u{9B}é🎉").indentedText
        #expect(text == #""a\"b\\c\n\u001b[31m\u009bé🎉""#)
    }

    @Test("as NDJSON has one line for each row, and then the rest")
    func lines() {
        let document: JSONValue = [
            "report": "x",
            "rows": [["key": ["day": "2026-03-01"], "n": [.integer(1), .integer(2)]], ["key": [:]]],
            "totals": ["a": "b\n"],
        ]
        #expect(
            document.lines(of: "rows") == [
                #"{"key":{"day":"2026-03-01"},"n":[1,2]}"#, #"{"key":{}}"#,
                #"{"report":"x","totals":{"a":"b\n"}}"#,
            ])
        #expect(JSONValue.array([]).lines(of: "rows") == ["[]"])
    }

    @Test("for tokens has rows by state and totals")
    func tokens() {
        let report = TokenStatusReport(
            app: shop, asOf: instant("2026-03-01T12:00:00Z"),
            rows: [.init(state: "active", kind: "alert", environment: "production", tokens: 3)],
            installations: 2,
            erasedInstallations: 1, audience: 2, installationStates: nil, settings: nil)
        #expect(
            report.document.lineText == """
                {"report":"tokens","app":"shop","unit":"tokens","as_of":"2026-03-01T12:00:00.000Z",\
                "rows":[{"key":{"state":"active","kind":"alert","environment":"production"},"counts":{"tokens":3}}],\
                "totals":{"counts":{"tokens":3,"installations":2,"erased_installations":1,"audience":2}}}
                """)
    }
}
