public import Access
internal import Instants

/// The query of a report: its app, window, breakdown and filters.
public struct ReportQuery: Hashable, Sendable {
    public let app: App
    public private(set) var window: ReportWindow
    /// The part of the window that has counters; `nil` if that was not determined.
    var countedSpan: Range<Instant>?
    public let timeZone: ReportTimeZone
    /// In the order in which a row's key lists them.
    public private(set) var by: [Dimension]
    /// At most one per dimension, in the order of `Dimension.allCases`.
    public let filters: [ReportFilter]
    /// The window whose figures are compared with those of `window`; `nil` if nothing is compared.
    public private(set) var comparison: ReportWindow?
    /// The maximum number of rows that the caller accepts; if there are more, the report ends with
    /// `PostgresError.tooManyRows` before all are read. `nil` means no maximum.
    public var mostRows: Int?

    /// - Throws: ``ReportError/tooManyDimensions(_:)``.
    public init(
        app: App, window: ReportWindow, timeZone: ReportTimeZone, by: [Dimension] = [],
        filters: [ReportFilter] = [], comparison: ReportWindow? = nil
    ) throws(ReportError) {
        self.app = app
        self.window = window
        self.timeZone = timeZone
        self.by = try Dimension.checked(by)
        self.filters = filters.merged
        self.comparison = comparison
    }

    /// The query of a report that reads no counters: its window is not widened.
    init(app: App, exactly window: Range<Instant>, timeZone: ReportTimeZone, by period: Dimension?) {
        (self.app, self.window, self.timeZone) = (app, ReportWindow(exactly: window), timeZone)
        by = [period].compactMap(\.self)
        filters = []
    }

    /// The selected values of a dimension; empty if all are selected.
    public func values(of dimension: Dimension) -> [String] { filters.values(of: dimension) }

    /// Whether only the counters by segment contain the result.
    public var needsSegments: Bool {
        by.contains(where: \.isTrait) || filters.contains(where: \.dimension.isTrait)
    }

    /// Whether only the notifications contain the result, because the breakdown is by what is known of clicks.
    public var needsClicks: Bool { by.contains(where: \.isOfClick) }

    /// The part of the window to request from the database.
    var asked: Range<Instant> { countedSpan ?? window.from..<window.to }

    /// The query with another breakdown, even with more dimensions than a caller may request.
    func cut(by dimensions: [Dimension]) -> ReportQuery {
        var query = self
        query.by = dimensions
        return query
    }

    /// The query for another window, without a comparison.
    public func with(window: ReportWindow) -> ReportQuery {
        var query = self
        query.window = window
        query.countedSpan = nil
        query.comparison = nil
        return query
    }
}
