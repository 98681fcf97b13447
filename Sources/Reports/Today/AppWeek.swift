public import Access
public import Instants
public import PostgresClient

/// The week before an app's day so far: what the day is compared with, and its course.
public struct AppWeek: Hashable, Sendable {
    /// The local day a week ago, up to the time of day that today has reached. Weekends differ from working days, so this is a
    /// better comparison than yesterday.
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
        func sum(_ count: KeyPath<QuarterCounts, Int64>) -> Int64 {
            part.reduce(0) { $0 + $1[keyPath: count] }
        }
        self.init(
            quarter: window.lowerBound, attempted: sum(\.attempted), accepted: sum(\.accepted),
            confirmed: sum(\.confirmed), clicked: sum(\.clicked))
    }
}
