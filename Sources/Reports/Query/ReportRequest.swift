public import DeliveryModel

/// A query as it was typed or sent: words that have not been parsed yet.
public struct ReportRequest: Hashable, Sendable {
    public var from: String?
    public var to: String?
    public var timeZone: String?
    public var by: [String]
    public var filters: [ReportFilter]
    public var compare: String?

    /// - Parameters:
    ///   - from: `nil` for the 7 local days that end with `to`.
    ///   - to: `nil` for the end of today.
    ///   - timeZone: an IANA name; `nil` for UTC.
    ///   - by: dimensions; one text may contain several, separated by commas.
    ///   - compare: `previous`, or the beginning of the other window; `nil` compares nothing.
    public init(
        from: String? = nil, to: String? = nil, timeZone: String? = nil, by: [String] = [],
        filters: [ReportFilter] = [], compare: String? = nil
    ) {
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.by = by
        self.filters = filters
        self.compare = compare
    }

    /// Parses the words.
    ///
    /// - Parameters:
    ///   - now: the instant from which `today`, `7d` and the defaults count.
    ///   - report: the name of the report that is asked; `nil` if it is known to have these dimensions.
    /// - Throws: ``ReportError/onlyOfClicks(_:report:)`` if another report than that of clicks is broken down
    ///   by what is known of clicks, ``ReportError/notOfInstallations(_:)`` if permissions are broken down or
    ///   filtered by what they cannot be.
    public func query(for app: App, now: Instant, report: String? = nil) throws(ReportError) -> ReportQuery {
        let zone = try timeZone.map { name throws(ReportError) in try ReportTimeZone(name) } ?? .utc
        let window = try window(in: zone, now: now)
        let by = try Dimension.list(by, of: report)
        if let report, report != Clicks.name, let dimension = by.first(where: \.isOfClick) {
            throw .onlyOfClicks(dimension, report: report)
        }
        let query = try ReportQuery(
            app: app, window: window, timeZone: zone, by: by, filters: filters,
            comparison: try comparison(with: window, in: zone, now: now))
        if report == PermissionsReport.name,
            let dimension = (by + query.filters.map(\.dimension)).first(where: {
                query.isOfCampaigns ? !$0.isOfCampaigns : !$0.isPeriod && !$0.isOfInstallation
            })
        {
            throw .notOfInstallations(dimension)
        }
        return query
    }

    private func window(in zone: ReportTimeZone, now: Instant) throws(ReportError) -> ReportWindow {
        let end =
            try WindowBound.instant(to, as: "to", in: zone, now: now) ?? zone.startOfDay(now, plusDays: 1)
        let lastDay = end - Span(milliseconds: 1)
        let start =
            try WindowBound.instant(from, as: "from", in: zone, now: now)
            ?? zone.startOfDay(lastDay, plusDays: -6)
        return try ReportWindow(from: start, to: end)
    }

    /// The other window, of the same length: in local months if both begin with one, even if they differ in
    /// days; otherwise in local days if the window consists of whole days, even if they differ in hours.
    private func comparison(
        with window: ReportWindow, in zone: ReportTimeZone, now: Instant
    ) throws(ReportError) -> ReportWindow? {
        guard let compare else { return nil }
        let isPrevious = compare.lowercased() == "previous"
        let start =
            isPrevious ? nil : try WindowBound.instant(compare, as: "compare", in: zone, now: now)
        if let months = zone.wholeMonths(from: window.from, to: window.to),
            let from = start ?? zone.startOfMonth(window.from, plusMonths: -months),
            zone.wholeMonths(from: from, to: window.from) != nil,
            let end = zone.startOfMonth(from, plusMonths: months)
        {
            return try ReportWindow(from: from, to: end)
        }
        guard let days = zone.wholeDays(from: window.from, to: window.to) else {
            let from = start ?? window.from - (window.to - window.from)
            return try ReportWindow(from: from, to: from + (window.to - window.from))
        }
        let from = start ?? zone.startOfDay(window.from, plusDays: -days)
        let isWholeDay = zone.startOfDay(from) == from
        let end = isWholeDay ? zone.startOfDay(from, plusDays: days) : from + (window.to - window.from)
        return try ReportWindow(from: from, to: end)
    }
}
