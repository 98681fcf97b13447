internal import Access
internal import PostgresClient
internal import SQLFiles

extension ReportQuery {
    /// $1 to $9 of the reports' statements. Without dimensions, they request the totals.
    func parameters(by dimensions: [Dimension]) -> [PostgresParameter] {
        [
            .value(app.appID),
            .value(asked.lowerBound),
            .value(asked.upperBound),
            .value(timeZone.name),
            .value(dimensions.first(where: \.isPeriod)?.rawValue),
            .value(dimensions.contains(.campaign)),
            .value(dimensions.contains(.variant)),
            .values(values(of: .campaign)),
            .values(values(of: .variant)),
        ]
    }

    /// $1 to $12 of the statements that use segments.
    ///
    /// - Parameter segmentIDs: the result of ``segmentIDs(on:)``.
    func parameters(by dimensions: [Dimension], segmentIDs: [Int64]?) -> [PostgresParameter] {
        let traits = dimensions.filter(\.isTrait).map(\.rawValue)
        return parameters(by: dimensions) + [
            .value(traits.first),
            .value(traits.dropFirst().first),
            segmentIDs.map { .array($0) } ?? .noArray(of: Int64.self),
        ]
    }

    /// The segments that the filters select; `nil` if no filter is about segments.
    func segmentIDs(on connection: PostgresConnection) throws(PostgresError) -> [Int64]? {
        guard filters.contains(where: \.dimension.isTrait) else { return nil }
        let traits: [Dimension] = [
            .provider, .environment, .topic, .pushType, .priority, .platform, .appVersion, .osVersion,
            .language,
            .permission,
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
