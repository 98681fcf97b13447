public import Access
public import DeliveryModel

/// What a report is asked: whose notifications, sent when, cut how.
public struct ReportQuery: Hashable, Sendable {
    public let app: App
    public let window: ReportWindow
    public let timeZone: ReportTimeZone
    /// In the order in which a row's key lists them.
    public let by: [Dimension]
    /// Campaigns to keep, the empty one for notifications without a campaign; an empty list keeps all.
    public let campaigns: [String]

    /// - Throws: ``ReportError/tooManyDimensions(_:)``.
    public init(
        app: App, window: ReportWindow, timeZone: ReportTimeZone, by: [Dimension] = [],
        campaigns: [String] = []
    ) throws(ReportError) {
        self.app = app
        self.window = window
        self.timeZone = timeZone
        self.by = try Dimension.checked(by)
        self.campaigns = campaigns
    }
}

/// A question as it was typed or sent: words that have not been read yet.
public struct ReportRequest: Hashable, Sendable {
    public var from: String?
    public var to: String?
    public var timeZone: String?
    public var by: [String]
    public var campaigns: [String]

    /// - Parameters:
    ///   - from: nil for the 7 local days that `to` ends.
    ///   - to: nil for the end of today.
    ///   - timeZone: an IANA name; nil for UTC.
    ///   - by: dimensions, also several in one text with commas between them.
    public init(
        from: String? = nil, to: String? = nil, timeZone: String? = nil, by: [String] = [],
        campaigns: [String] = []
    ) {
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.by = by
        self.campaigns = campaigns
    }

    /// Reads the words.
    ///
    /// - Parameter now: what `today`, `7d` and the defaults count from.
    public func query(for app: App, now: Instant) throws(ReportError) -> ReportQuery {
        let zone = try timeZone.map { name throws(ReportError) in try ReportTimeZone(name) } ?? .utc
        return try ReportQuery(
            app: app, window: try window(in: zone, now: now), timeZone: zone, by: try Dimension.list(by),
            campaigns: campaigns)
    }

    private func window(in zone: ReportTimeZone, now: Instant) throws(ReportError) -> ReportWindow {
        let end = try read(to, as: "to", in: zone, now: now) ?? zone.startOfDay(now, plusDays: 1)
        let lastDay = end - Span(milliseconds: 1)
        let start = try read(from, as: "from", in: zone, now: now) ?? zone.startOfDay(lastDay, plusDays: -6)
        return try ReportWindow(from: start, to: end)
    }

    private func read(_ text: String?, as bound: String, in zone: ReportTimeZone, now: Instant)
        throws(ReportError)
        -> Instant?
    {
        guard let text else { return nil }
        guard let instant = WindowBound.instant(text, in: zone, now: now) else {
            throw .unreadableInstant(text, bound: bound)
        }
        return instant
    }
}
