public import Access

/// What a report is asked: whose notifications, sent when, cut how.
public struct ReportQuery: Hashable, Sendable {
    public let app: App
    public let window: ReportWindow
    public let timeZone: ReportTimeZone
    /// In the order in which a row's key lists them.
    public let by: [Dimension]
    /// At most one per dimension, in the order of `Dimension.allCases`.
    public let filters: [ReportFilter]
    /// The window whose figures stand beside those of `window`; nil when nothing is compared.
    public let comparison: ReportWindow?

    /// - Throws: ``ReportError/tooManyDimensions(_:)``.
    public init(
        app: App, window: ReportWindow, timeZone: ReportTimeZone, by: [Dimension] = [],
        filters: [ReportFilter] = [], comparison: ReportWindow? = nil
    ) throws(ReportError) {
        self.init(
            app: app, window: window, timeZone: timeZone, checked: try Dimension.checked(by),
            filters: filters.merged, comparison: comparison)
    }

    private init(
        app: App, window: ReportWindow, timeZone: ReportTimeZone, checked: [Dimension],
        filters: [ReportFilter], comparison: ReportWindow?
    ) {
        self.app = app
        self.window = window
        self.timeZone = timeZone
        self.by = checked
        self.filters = filters
        self.comparison = comparison
    }

    /// The values to keep of a dimension; empty when all are kept.
    public func values(of dimension: Dimension) -> [String] { filters.values(of: dimension) }

    /// Whether only the counters by segment can answer.
    public var needsSegments: Bool {
        by.contains(where: \.isTrait) || filters.contains(where: \.dimension.isTrait)
    }

    /// The same question cut otherwise, also by more dimensions than anybody may ask for.
    func cut(by dimensions: [Dimension]) -> ReportQuery {
        ReportQuery(
            app: app, window: window, timeZone: timeZone, checked: dimensions, filters: filters,
            comparison: comparison)
    }

    /// The same question about another window, with nothing to compare it with.
    public func with(window: ReportWindow) -> ReportQuery {
        ReportQuery(
            app: app, window: window, timeZone: timeZone, checked: by, filters: filters, comparison: nil)
    }
}
