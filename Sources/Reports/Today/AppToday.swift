public import DeliveryModel
public import PostgresClient

/// One app's local day so far, compared with the day before up to the same time of day, and the
/// last 24 hours. Read from counters only.
public struct AppToday: Hashable, Sendable {
    /// From local midnight on, by campaign, the largest first.
    public let today: FunnelReport
    /// The local day before, up to the time of day that `today` has reached. These notifications
    /// have had one more day to arrive and to be clicked.
    public let yesterday: FunnelReport
    /// Every quarter hour of the last 24 hours; the current one is last.
    public let quarters: [QuarterCounts]
    /// Items posted within the last 24 hours, from the start of an hour on.
    public let received: ReceivedItems
    /// The quarter hour in which the last notification was sent; `nil` if there never was one.
    public let lastQuarter: Instant?

    public var app: App { today.frame.query.app }
    public var timeZone: ReportTimeZone { today.frame.query.timeZone }
    public var asOf: Instant { today.frame.asOf }

    /// The quarter hours that began within the last hour.
    public var lastHour: ArraySlice<QuarterCounts> { quarters.suffix(4) }

    /// Reads the counters, each query in a snapshot of its own.
    ///
    /// - Parameter mostRows: the most campaigns; `nil` for all.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(
        for app: App, in zone: ReportTimeZone, on connection: PostgresConnection, now: Instant,
        mostRows: Int? = nil
    ) throws -> AppToday {
        let windows = try Windows(now, in: zone)
        var today = try ReportQuery(app: app, window: windows.today, timeZone: zone, by: [.campaign])
        today.mostRows = mostRows
        let yesterday = try ReportQuery(app: app, window: windows.yesterday, timeZone: zone)
        let day = try ReportQuery(app: app, window: windows.day, timeZone: zone)
        let last = try connection.query(.Reports.lastQuarter, [.value(app.appID)]).first
        return AppToday(
            today: try FunnelReport.run(today, on: connection, now: now, estimate: .never),
            yesterday: try FunnelReport.run(yesterday, on: connection, now: now, estimate: .never),
            quarters: try QuarterCounts.read(day, on: connection),
            received: try ReceivedItems.read(of: app, since: now - .days(1), on: connection),
            lastQuarter: try last?.getOptional("last_quarter"))
    }

    /// The windows of `today`, `yesterday`, the same hours a week ago and the last 24 hours, up to the end of
    /// the current quarter hour.
    struct Windows {
        let today: ReportWindow
        let yesterday: ReportWindow
        let lastWeek: ReportWindow
        let day: ReportWindow

        init(_ now: Instant, in zone: ReportTimeZone) throws(ReportError) {
            let midnight = zone.startOfDay(now)
            today = try ReportWindow(from: midnight, to: now + Span(milliseconds: 1))
            let end = today.to
            let isOver = zone.startOfDay(end) != midnight
            func sameHours(daysAgo: Int) throws(ReportError) -> ReportWindow {
                let from = zone.startOfDay(now, plusDays: -daysAgo)
                let to = zone.startOfDay(now, plusDays: 1 - daysAgo)
                return try ReportWindow(from: from, to: isOver ? to : Self.end(from..<to, at: end, in: zone))
            }
            yesterday = try sameHours(daysAgo: 1)
            lastWeek = try sameHours(daysAgo: 7)
            day = try ReportWindow(from: today.to - .days(1), to: today.to)
        }

        /// The end of the day's last quarter hour that began, by the clock, before the time that clocks show
        /// at the instant. If clocks change, the same number of hours after midnight is another time.
        private static func end(_ day: Range<Instant>, at instant: Instant, in zone: ReportTimeZone)
            -> Instant
        {
            func clock(_ instant: Instant) -> Substring {
                LocalTime(instant, utcOffsetMinutes: zone.utcOffsetMinutes(at: instant)).clock.dropFirst(11)
            }
            let time = clock(instant)
            var quarter = day.upperBound - .minutes(15)
            while quarter > day.lowerBound, clock(quarter) >= time { quarter = quarter - .minutes(15) }
            return quarter + .minutes(15)
        }
    }
}

extension AppToday {
    /// One app in the document of `landfall --json`: `today` and `yesterday` as in the funnel,
    /// `quarters` of the last 24 hours, instants in local time with the offset from UTC.
    public func document(tokens: TokenHealth?) -> JSONValue {
        .object([
            .init("app", .string(app.slug)), .init("today", Self.part(today)),
            .init("yesterday", Self.part(yesterday)), .init("quarters", .array(quarters.map(json))),
            .init("campaigns", .array(Self.sheet(today).rowDocuments)), .init("received_24h", received.json),
            .init("last_quarter", .optional(lastQuarter.map(timeZone.rfc3339))),
            .init("tokens", tokens?.json(in: timeZone) ?? .null),
        ])
    }

    private static func part(_ report: FunnelReport) -> JSONValue {
        let query = report.frame.query
        return .object(
            [
                .init("from", .string(query.timeZone.rfc3339(query.window.from))),
                .init("to", .string(query.timeZone.rfc3339(query.window.to))),
            ] + sheet(report).totalMembers + report.unmatched.members)
    }

    /// A day is too short to estimate what arrives in it.
    private static func sheet(_ report: FunnelReport) -> Sheet {
        var sheet = report.sheet
        sheet.leaveOut(Set(ArrivalEstimate.fields.map(\.column.id)))
        return sheet
    }

    private func json(_ quarter: QuarterCounts) -> JSONValue {
        [
            "quarter": .string(timeZone.rfc3339(quarter.quarter)),
            "attempted": .integer(quarter.attempted), "accepted": .integer(quarter.accepted),
            "confirmed": .integer(quarter.confirmed), "clicked": .integer(quarter.clicked),
        ]
    }
}
