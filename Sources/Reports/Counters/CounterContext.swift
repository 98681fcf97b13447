/// What stands beside the counters of a report.
public struct CounterContext: Hashable, Sendable {
    /// Nil where they were not read, see ``ArrivalEstimates/Scope``, and in reports that have none.
    public var arrivals: ArrivalEstimates?
    /// Nil in a report that was not read from a database.
    public var completeness: Completeness?
    /// Nil unless the query names another window.
    public var comparison: ReportComparison?

    public init(
        arrivals: ArrivalEstimates? = nil, completeness: Completeness? = nil,
        comparison: ReportComparison? = nil
    ) {
        self.arrivals = arrivals
        self.completeness = completeness
        self.comparison = comparison
    }
}
