internal import DeliveryModel

/// Selects notifications that have one of these values.
public struct ReportFilter: Hashable, Sendable {
    public let dimension: Dimension
    /// The empty string means without a value, or unknown.
    public let values: [String]

    /// - Parameter values: as a person writes them. They are converted to the form in which ingestion records names.
    public init(_ dimension: Dimension, _ values: [String]) {
        self.dimension = dimension
        self.values = values.map { Self.recorded($0, dimension) }
    }

    private static func recorded(_ value: String, _ dimension: Dimension) -> String {
        switch dimension {
        case .provider: Provider.read(value)?.provider ?? value.canonicalName
        case .environment: Environment(posted: value)?.rawValue ?? value.canonicalName
        case .language: value.canonicalLanguage
        default: value.canonicalName
        }
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
            ReportFilter(dimension, values(of: dimension))
        }.filter { !$0.values.isEmpty }
    }
}
