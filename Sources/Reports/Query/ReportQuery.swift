public import Access
internal import Instants

/// What a report is asked: whose notifications, sent when, cut how.
public struct ReportQuery: Hashable, Sendable {
    public let app: App
    public private(set) var window: ReportWindow
    /// What of it there are counters of; nil where nobody has looked.
    var countedSpan: Range<Instant>?
    public let timeZone: ReportTimeZone
    /// In the order in which a row's key lists them.
    public private(set) var by: [Dimension]
    /// At most one per dimension, in the order of `Dimension.allCases`.
    public let filters: [ReportFilter]
    /// The window whose figures stand beside those of `window`; nil when nothing is compared.
    public private(set) var comparison: ReportWindow?
    /// The asker takes at most so many rows; with more of them the report ends with `PostgresError.tooManyRows`, before they are
    /// all read. Nil takes all.
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

    /// The values to keep of a dimension; empty when all are kept.
    public func values(of dimension: Dimension) -> [String] { filters.values(of: dimension) }

    /// Whether only the counters by segment can answer.
    public var needsSegments: Bool {
        by.contains(where: \.isTrait) || filters.contains(where: \.dimension.isTrait)
    }

    /// What the database is asked of the window.
    var asked: Range<Instant> { countedSpan ?? window.from..<window.to }

    /// The same question cut otherwise, also by more dimensions than anybody may ask for.
    func cut(by dimensions: [Dimension]) -> ReportQuery {
        var query = self
        query.by = dimensions
        return query
    }

    /// The same question about another window, with nothing to compare it with.
    public func with(window: ReportWindow) -> ReportQuery {
        var query = self
        query.window = window
        query.countedSpan = nil
        query.comparison = nil
        return query
    }
}
