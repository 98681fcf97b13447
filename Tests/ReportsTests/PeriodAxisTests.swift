import Basics
import Testing

@testable import Reports

@Suite("The periods of a window") struct PeriodAxisTests {
    private func axis(
        _ period: Dimension, _ from: String, _ to: String, _ zone: String,
        asOf: String = "2027-01-01T00:00:00Z"
    ) throws -> [String] {
        PeriodAxis.values(
            of: period, in: try ReportWindow(from: instant(from), to: instant(to)), try ReportTimeZone(zone),
            asOf: instant(asOf))
    }

    @Test("are 25 hours on the day on which clocks go back, the repeated one twice")
    func autumn() throws {
        let hours = try axis(.hour, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "Europe/Berlin")
        #expect(hours.count == 25)
        #expect(hours[2...3] == ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"])
        #expect(
            try axis(.day, "2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", "Europe/Berlin")
                == ["2026-10-25", "2026-10-26"])
    }

    @Test("are those of the report's rows, in zones of half and quarter hours too")
    func zones() throws {
        #expect(
            try axis(.hour, "2026-03-01T18:15:00Z", "2026-03-01T20:15:00Z", "Asia/Kathmandu")
                == ["2026-03-02T00:00:00+05:45", "2026-03-02T01:00:00+05:45"])
        let turned = try axis(.hour, "2026-04-04T14:00:00Z", "2026-04-04T17:00:00Z", "Australia/Lord_Howe")
        #expect(
            turned == [
                "2026-04-05T01:00:00+11:00", "2026-04-05T01:00:00+10:30", "2026-04-05T02:00:00+10:30",
                "2026-04-05T03:00:00+10:30",
            ])
    }

    @Test("are weeks named by their Monday and months by their first day")
    func weeksAndMonths() throws {
        #expect(
            try axis(.week, "2026-03-01T00:00:00Z", "2026-03-10T00:00:00Z", "UTC")
                == ["2026-02-23", "2026-03-02", "2026-03-09"])
        #expect(
            try axis(.month, "2026-01-31T00:00:00Z", "2026-03-02T00:00:00Z", "UTC")
                == ["2026-01-01", "2026-02-01", "2026-03-01"])
    }

    @Test("end with the current one, and there is always one")
    func future() throws {
        #expect(
            try axis(
                .day, "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z", "UTC", asOf: "2026-03-02T00:00:01Z")
                == ["2026-03-01", "2026-03-02"])
        #expect(
            try axis(
                .day, "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z", "UTC", asOf: "2020-01-01T00:00:00Z")
                == ["2026-03-01"])
    }

    @Test(
        "include those that the window cuts short, named once, by local clocks",
        arguments: [
            (.month, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "UTC", []),
            (.month, "2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z", "Europe/Berlin", []),
            (
                .month, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "Europe/Berlin",
                ["2026-02-01", "2026-03-01"]
            ),
            (.month, "2026-02-03T00:00:00Z", "2026-02-09T00:00:00Z", "UTC", ["2026-02-01"]),
            (.week, "2026-02-23T00:00:00Z", "2026-03-03T00:00:00Z", "UTC", ["2026-03-02"]),
            (.day, "2026-03-01T12:00:00Z", "2026-03-04T00:00:00Z", "UTC", ["2026-03-01"]),
            (
                .hour, "2026-10-25T00:15:00Z", "2026-10-25T01:15:00Z", "Europe/Berlin",
                ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]
            ),
        ] as [(Dimension, String, String, String, [String])])
    func cutShort(
        period: Dimension, from: String, to: String, zone: String, expected: [String]
    ) throws {
        let query = try ReportQuery(
            app: shop, window: ReportWindow(from: instant(from), to: instant(to)),
            timeZone: ReportTimeZone(zone), by: [.campaign, period])
        #expect(query.cutPeriods == expected)
        let frame = ReportFrame(report: "funnel", query: query, unit: .notifications, asOf: instant(to))
        let text = JSONValue.object(frame.members).lineText
        #expect(text.contains("cut_periods") == !expected.isEmpty)
    }

    @Test("are never cut short in a report without a breakdown by time")
    func noPeriods() throws {
        let query = try ReportQuery(
            app: shop,
            window: ReportWindow(from: instant("2026-03-01T12:00:00Z"), to: instant("2026-03-01T12:30:00Z")),
            timeZone: .utc, by: [.campaign])
        #expect(query.cutPeriods.isEmpty)
    }
}
