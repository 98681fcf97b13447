public import DeliveryModel
internal import PostgresClient

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

    /// Whether only notifications contain the result, because the breakdown is by facts of clicks.
    public var needsClicks: Bool { by.contains(where: \.isOfClick) }

    /// Whether a report of permissions is about what the pushes of campaigns changed.
    public var isOfCampaigns: Bool { (by + filters.map(\.dimension)).contains(where: \.isOfCampaigns) }

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

extension ReportQuery {
    /// Every quarter hour of a window is generated before it is looked up: two million since 1970.
    /// Up to this length, that is cheaper than an additional query.
    private static let longestUnclamped = Span.days(400)

    /// The query, limited to the span in which there are counters.
    func clamped(on connection: PostgresConnection) throws(PostgresError) -> ReportQuery {
        guard window.to - window.from > Self.longestUnclamped else { return self }
        let row = try connection.query(.Reports.appSpan, [.value(app.appID)]).single()
        let first: Instant? = try row.getOptional("first_quarter")
        let last: Instant? = try row.getOptional("last_quarter")
        var counted = window.from..<window.from
        if let first, let last { counted = first..<(last + .minutes(15)) }
        var query = self
        query.countedSpan = counted.clamped(to: window.from..<window.to)
        return query
    }
}

extension ReportQuery {
    /// $1 to $9 of the reports' statements. Without dimensions, they request the totals.
    func parameters(by dimensions: [Dimension]) -> [PostgresParameter] {
        [
            .value(app.appID), .value(asked.lowerBound), .value(asked.upperBound), .value(timeZone.name),
            .value(dimensions.first(where: \.isPeriod)?.rawValue), .value(dimensions.contains(.campaign)),
            .value(dimensions.contains(.variant)), .values(values(of: .campaign)),
            .values(values(of: .variant)),
        ]
    }

    /// $1 to $12 of the statements that use segments.
    ///
    /// - Parameter segmentIDs: the result of ``segmentIDs(on:)``.
    func parameters(by dimensions: [Dimension], segmentIDs: [Int64]?) -> [PostgresParameter] {
        let traits = dimensions.filter(\.isTrait).map(\.rawValue)
        return parameters(by: dimensions) + [
            .value(traits.first), .value(traits.dropFirst().first),
            segmentIDs.map { .array($0) } ?? .noArray(of: Int64.self),
        ]
    }

    /// The segments that the filters select; `nil` if no filter is about segments.
    func segmentIDs(on connection: PostgresConnection) throws(PostgresError) -> [Int64]? {
        guard filters.contains(where: \.dimension.isTrait) else { return nil }
        let traits: [Dimension] = [
            .provider, .environment, .topic, .pushType, .priority, .platform, .appVersion, .osVersion,
            .language, .permission,
        ]
        let rows = try connection.query(
            .Reports.filteredSegments,
            [.value(app.appID)] + traits.map { .values(values(of: $0)) })
        return try rows.column("segment_id")
    }
}

extension PostgresParameter {
    /// The selected values; an empty list selects all.
    static func values(_ values: [String]) -> PostgresParameter {
        values.isEmpty ? .noArray(of: String.self) : .array(values)
    }
}
