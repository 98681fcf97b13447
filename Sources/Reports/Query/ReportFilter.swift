internal import DeliveryModel

/// Selects notifications that have one of these values.
public struct ReportFilter: Hashable, Sendable {
    public let dimension: Dimension
    /// The empty string means without a value, or unknown.
    public let values: [String]

    public init(_ dimension: Dimension, _ values: [String]) {
        self.dimension = dimension
        self.values = values
    }
}

extension [ReportFilter] {
    /// The selected values of a dimension; empty if all are selected.
    public func values(of dimension: Dimension) -> [String] {
        filter { $0.dimension == dimension }.flatMap(\.values)
    }

    /// One filter for each dimension that has values, in the order of `Dimension.allCases`.
    var merged: [ReportFilter] {
        Dimension.filters.map { dimension in
            let values = values(of: dimension)
            return ReportFilter(dimension, dimension == .provider ? values.map(Self.provider) : values)
        }.filter { !$0.values.isEmpty }
    }

    /// The spelling under which ingestion records a sender's word.
    private static func provider(_ word: String) -> String { Provider.read(word)?.provider ?? word }
}
