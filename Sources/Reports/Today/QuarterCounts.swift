public import DeliveryModel
public import PostgresClient

/// The notifications sent in one quarter hour, and their outcome so far.
public struct QuarterCounts: Hashable, Decodable, Sendable {
    /// The start of the quarter hour.
    public let quarter: Instant
    public let attempted: Int64
    public let accepted: Int64
    public let confirmed: Int64
    public let clicked: Int64

    /// Every quarter hour of the window, including those in which nothing was sent.
    static func read(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> [QuarterCounts]
    {
        var known: [Instant: QuarterCounts] = [:]
        let window = query.window
        let rows = try connection.query(
            .Reports.quarters, [.value(query.app.appID), .value(window.from), .value(window.to)])
        for counts: QuarterCounts in try rows.decode() { known[counts.quarter] = counts }
        var all: [QuarterCounts] = []
        var quarter = window.from
        while quarter < window.to {
            let none = QuarterCounts(quarter: quarter, attempted: 0, accepted: 0, confirmed: 0, clicked: 0)
            all.append(known[quarter] ?? none)
            quarter = quarter + .minutes(15)
        }
        return all
    }
}

/// The week before an app's day so far: what the day is compared with, and its course.
public struct AppWeek: Hashable, Sendable {
    /// The local day a week ago, up to the time of day that today has reached. Weekends differ from working
    /// days, so this is a better comparison than yesterday.
    public let sameHours: QuarterCounts
    /// The local days of the week, the oldest first; the last one is today so far.
    public let days: [QuarterCounts]

    /// - Throws: `ReportError` for a time outside the calendar, `PostgresError`.
    public static func run(
        for app: App, in zone: ReportTimeZone, on connection: PostgresConnection, now: Instant
    ) throws -> AppWeek {
        let windows = try AppToday.Windows(now, in: zone)
        let whole = try ReportWindow(from: windows.lastWeek.from, to: windows.today.to)
        let quarters = try QuarterCounts.read(
            try ReportQuery(app: app, window: whole, timeZone: zone), on: connection)
        let midnights = (-7...0).map { zone.startOfDay(now, plusDays: $0) } + [windows.today.to]
        return AppWeek(
            sameHours: QuarterCounts(quarters, in: windows.lastWeek.from..<windows.lastWeek.to),
            days: zip(midnights, midnights.dropFirst()).map { QuarterCounts(quarters, in: $0..<$1) })
    }
}

extension QuarterCounts {
    /// The sum of the quarter hours of a window, which begins with one of them.
    fileprivate init(_ quarters: [QuarterCounts], in window: Range<Instant>) {
        let part = quarters.filter { window.contains($0.quarter) }
        self.init(
            quarter: window.lowerBound, attempted: part.total(\.attempted), accepted: part.total(\.accepted),
            confirmed: part.total(\.confirmed), clicked: part.total(\.clicked))
    }
}

extension Sequence {
    package func total(_ count: KeyPath<Element, Int64>) -> Int64 { reduce(0) { $0 + $1[keyPath: count] } }
}
