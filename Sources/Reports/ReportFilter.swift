/// Keeps notifications that have one of these values.
public struct ReportFilter: Hashable, Sendable {
    public let dimension: Dimension
    /// The empty text is: without one, or unknown.
    public let values: [String]

    public init(_ dimension: Dimension, _ values: [String]) {
        self.dimension = dimension
        self.values = values
    }
}

extension [ReportFilter] {
    /// The values to keep of a dimension; empty when all are kept.
    public func values(of dimension: Dimension) -> [String] {
        filter { $0.dimension == dimension }.flatMap(\.values)
    }

    /// One filter for each dimension that has values, in the order of `Dimension.allCases`.
    var merged: [ReportFilter] {
        Dimension.filters.map { ReportFilter($0, values(of: $0)) }.filter { !$0.values.isEmpty }
    }
}
