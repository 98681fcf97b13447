import DeliveryModel
import Testing

@testable import Reports

@Suite("A report's window")
struct ReportWindowTests {
    /// A Wednesday afternoon.
    private let now = instant("2026-03-04T15:07:30Z")

    private func window(
        _ from: String?, _ to: String?, zone: String = "UTC", now: Instant? = nil
    ) throws -> [String] {
        let request = ReportRequest(from: from, to: to, timeZone: zone)
        let query = try request.query(for: shop, now: now ?? self.now)
        return [query.timeZone.rfc3339(query.window.from), query.timeZone.rfc3339(query.window.to)]
    }

    @Test("is the last 7 local days, today included, by default")
    func defaults() throws {
        #expect(try window(nil, nil) == ["2026-02-26T00:00:00+00:00", "2026-03-05T00:00:00+00:00"])
        // At this instant it is already the next day in Auckland.
        #expect(
            try window(nil, nil, zone: "Pacific/Auckland")
                == ["2026-02-27T00:00:00+13:00", "2026-03-06T00:00:00+13:00"])
    }

    @Test("ends before `to`, and by default begins 7 local days earlier")
    func onlyTo() throws {
        #expect(try window(nil, "2026-03-01") == ["2026-02-22T00:00:00+00:00", "2026-03-01T00:00:00+00:00"])
        #expect(try window(nil, "now") == ["2026-02-26T00:00:00+00:00", "2026-03-04T15:15:00+00:00"])
    }

    @Test(
        "accepts the words of the command line",
        arguments: [
            ("7d", "2026-02-26T00:00:00+00:00"), ("1d", "2026-03-04T00:00:00+00:00"),
            ("24h", "2026-03-03T15:00:00+00:00"), ("today", "2026-03-04T00:00:00+00:00"),
            ("yesterday", "2026-03-03T00:00:00+00:00"), ("2026-03-01", "2026-03-01T00:00:00+00:00"),
            ("2026-03-01T09:30:00+01:00", "2026-03-01T08:30:00+00:00"),
        ])
    func words(from: String, expected: String) throws {
        #expect(try window(from, nil).first == expected)
    }

    @Test("covers the 7 days before the last 7 with --from 14d --to 7d")
    func precedingWeek() throws {
        #expect(
            try window("14d", "7d") == ["2026-02-19T00:00:00+00:00", "2026-02-26T00:00:00+00:00"])
    }

    @Test("consists of whole quarter hours, and says if that widened it")
    func widened() throws {
        let asked = try ReportWindow(
            from: instant("2026-03-01T10:07:00Z"), to: instant("2026-03-01T10:20:00Z"))
        #expect(asked.from == instant("2026-03-01T10:00:00Z"))
        #expect(asked.to == instant("2026-03-01T10:30:00Z"))
        #expect(asked.isWidened)
        let whole = try ReportWindow(from: asked.from, to: asked.to)
        #expect(whole == (try ReportWindow(from: whole.from, to: whole.to)))
        #expect(!whole.isWidened)
    }

    @Test("has days of 23 and 25 hours where clocks change")
    func daylightSaving() throws {
        #expect(
            try window("2026-03-29", "2026-03-30", zone: "Europe/Berlin")
                == ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"])
        #expect(
            try window("2026-10-25", "2026-10-26", zone: "Europe/Berlin")
                == ["2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"])
    }

    @Test("counts local days across a clock change, not blocks of 24 hours")
    func daysAcrossChange() throws {
        let afterChange = instant("2026-03-30T10:00:00Z")
        #expect(
            try window("3d", nil, zone: "Europe/Berlin", now: afterChange).first
                == "2026-03-28T00:00:00+01:00")
        #expect(
            try window("48h", nil, zone: "Europe/Berlin", now: afterChange).first
                == "2026-03-28T11:00:00+01:00")
    }

    @Test("begins at one o'clock on a day without a midnight")
    func missingMidnight() throws {
        #expect(
            try window("2026-09-06", nil, zone: "America/Santiago", now: instant("2026-09-06T20:00:00Z"))
                .first == "2026-09-06T01:00:00-03:00")
    }

    @Test("has local midnights off the hour in zones of half and quarter hours")
    func quarterHourZones() throws {
        #expect(
            try window("2026-03-01", "2026-03-02", zone: "Asia/Kathmandu")
                == ["2026-03-01T00:00:00+05:45", "2026-03-02T00:00:00+05:45"])
    }

    @Test(
        "is rejected for words that name no instant",
        arguments: [
            "2026-02-30", "2026-13-01", "2026-03-01T09:30:00", "-7d", "+7d", "0d", "d", "7", "7w", "",
            "99999999d",
            "2026-3-1", "last week",
        ])
    func unreadable(text: String) {
        #expect(throws: ReportError.unreadableInstant(text, bound: "from")) { try window(text, nil) }
    }

    @Test("is rejected if it ends before it begins")
    func empty() {
        #expect(throws: ReportError.self) { try window("today", "today") }
        #expect(throws: ReportError.self) { try window("today", "yesterday") }
    }
}

@Suite("The previous window")
struct PreviousWindowTests {
    /// The window that a window is compared with.
    private func other(
        _ from: String, _ to: String, compare: String = "previous", zone: String = "Europe/Berlin"
    ) throws -> [String] {
        let request = ReportRequest(from: from, to: to, timeZone: zone, compare: compare)
        let query = try request.query(for: shop, now: instant("2026-06-15T12:00:00Z"))
        let window = try #require(query.comparison)
        return [query.timeZone.rfc3339(window.from), query.timeZone.rfc3339(window.to)]
    }

    @Test("of whole months has as many months, though not as many days")
    func months() throws {
        #expect(
            try other("2026-03-01", "2026-04-01") == [
                "2026-02-01T00:00:00+01:00", "2026-03-01T00:00:00+01:00",
            ])
        #expect(
            try other("2026-04-01", "2026-05-01") == [
                "2026-03-01T00:00:00+01:00", "2026-04-01T00:00:00+02:00",
            ])
        #expect(
            try other("2026-02-01", "2026-05-01") == [
                "2025-11-01T00:00:00+01:00", "2026-02-01T00:00:00+01:00",
            ])
        #expect(
            try other("2026-01-01", "2026-02-01", zone: "Pacific/Auckland")
                == ["2025-12-01T00:00:00+13:00", "2026-01-01T00:00:00+13:00"])
    }

    @Test("that begins with a named month has as many months, too")
    func namedMonth() throws {
        #expect(
            try other("2026-03-01", "2026-04-01", compare: "2025-02-01")
                == ["2025-02-01T00:00:00+01:00", "2025-03-01T00:00:00+01:00"])
        #expect(
            try other("2026-03-01", "2026-04-01", compare: "2026-01-15")
                == ["2026-01-15T00:00:00+01:00", "2026-02-15T00:00:00+01:00"])
    }

    @Test("of whole weeks or days has as many days, even if one of them has an hour more or less")
    func days() throws {
        #expect(
            try other("2026-03-23", "2026-03-30") == [
                "2026-03-16T00:00:00+01:00", "2026-03-23T00:00:00+01:00",
            ])
        #expect(
            try other("2026-03-30", "2026-04-06") == [
                "2026-03-23T00:00:00+01:00", "2026-03-30T00:00:00+02:00",
            ])
        // Midnight in Berlin is not the beginning of a month in UTC.
        #expect(
            try other("2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z", zone: "UTC")
                == ["2026-01-29T00:00:00+00:00", "2026-02-28T23:00:00+00:00"])
        #expect(
            try other("2026-03-01", "2026-03-18") == [
                "2026-02-12T00:00:00+01:00", "2026-03-01T00:00:00+01:00",
            ])
    }

    @Test("matches each month with its counterpart")
    func matched() throws {
        let request = ReportRequest(
            from: "2026-03-01", to: "2026-05-01", timeZone: "Europe/Berlin", by: ["month"],
            compare: "previous")
        let query = try request.query(for: shop, now: instant("2026-06-15T12:00:00Z"))
        func side(_ window: ReportWindow, _ months: [String]) -> ReportComparison.Side {
            let figures = Figures(counts: [], rates: [])
            return ReportComparison.Side(
                query: query.with(window: window),
                rows: months.map { (key: RowKey([.init(.month, $0)]), figures: figures) }, totals: figures,
                nothing: figures)
        }
        let comparison = ReportComparison(
            now: side(query.window, ["2026-03-01", "2026-04-01"]),
            before: side(try #require(query.comparison), ["2026-01-01", "2026-02-01"]))
        #expect(comparison.rows.map { $0.key?.parts[0].value } == ["2026-03-01", "2026-04-01"])
        #expect(comparison.rows.map { $0.previousKey?.parts[0].value } == ["2026-01-01", "2026-02-01"])
    }
}

@Suite("A report's time zone")
struct ReportTimeZoneTests {
    @Test(
        "is an IANA name", arguments: ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
    func known(name: String) throws {
        #expect(try ReportTimeZone(name).name == name)
    }

    @Test(
        "is not an abbreviation, an offset or an invented name",
        arguments: [
            "CET", "GMT+2", "+02:00", "", "/", "Europe/Nowhere", "Europe/Berlin'; --", "../../etc/passwd",
        ])
    func unknown(name: String) {
        #expect(throws: ReportError.self) { try ReportTimeZone(name) }
    }

    @Test("is suggested for a near miss")
    func suggestion() {
        #expect(throws: ReportError.unknownTimeZone("Europe/Berlni", suggestion: "Europe/Berlin")) {
            try ReportTimeZone("Europe/Berlni")
        }
    }
}

@Suite("Dimensions")
struct DimensionTests {
    @Test("are given one by one or with commas, and once each")
    func list() throws {
        #expect(try Dimension.list(["day,campaign", "day"]) == [.day, .campaign])
        #expect(try Dimension.list([]) == [])
    }

    @Test(
        "are at most two, at most one of them a period",
        arguments: [["day,hour"], ["day", "campaign,variant"]])
    func tooMany(texts: [String]) {
        #expect(throws: ReportError.self) { try Dimension.list(texts) }
    }

    @Test("that do not exist are named in the error")
    func unknown() {
        #expect(throws: ReportError.unknownDimension("campain")) { try Dimension.list(["campain"]) }
        let unknown = ReportError.unknownDimension("x", of: "permissions")
        #expect(throws: unknown) { try Dimension.list(["x"], of: "permissions") }
        #expect(unknown.description.contains("language") && !unknown.description.contains("topic"))
    }
}

@Suite("An app")
struct AppChoiceTests {
    private let known = [App(appID: 2, slug: "news"), App(appID: 1, slug: "shop")]

    @Test("is chosen by name, and without a name if it is the only one")
    func chosen() throws {
        #expect(try App.named("shop", among: known).appID == 1)
        #expect(try App.named(nil, among: [known[0]]).appID == 2)
    }

    @Test("that is missing or not named causes an error that names the existing ones")
    func notChosen() {
        #expect(throws: ReportError.appNotNamed(known: ["news", "shop"])) {
            try App.named(nil, among: known)
        }
        #expect(throws: ReportError.unknownApp("shpo", known: ["news", "shop"])) {
            try App.named("shpo", among: known)
        }
        #expect(throws: ReportError.noApp) { try App.named(nil, among: []) }
        #expect(
            ReportError.unknownApp("shpo", known: ["news", "shop"]).description.contains(
                "did you mean 'shop'?")
        )
    }
}
