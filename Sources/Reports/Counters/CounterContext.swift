/// The parts of a report next to its counters.
public struct CounterContext: Hashable, Sendable {
    /// `nil` if they were not read, see ``ArrivalEstimates/Scope``, and in reports that have none.
    public var arrivals: ArrivalEstimates?
    /// `nil` if the report was not read from a database.
    public var completeness: Completeness?
    /// `nil` unless the query names another window.
    public var comparison: ReportComparison?
}
