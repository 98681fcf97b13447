internal import Access
internal import DeliveryModel
internal import PostgresClient

extension ReportQuery {
    /// $1 to $8 of the reports' SQL files. Without dimensions they ask for the totals.
    func parameters(by dimensions: [Dimension]) -> [PostgresParameter] {
        [
            .value(app.appID),
            .value(window.from),
            .value(window.to),
            .value(timeZone.name),
            .value(dimensions.first(where: \.isPeriod)?.rawValue),
            .value(dimensions.contains(.campaign)),
            .value(dimensions.contains(.variant)),
            campaigns.isEmpty ? .noArray(of: String.self) : .array(campaigns),
        ]
    }
}
