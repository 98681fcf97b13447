internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

extension RefusedBuilds {
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let span = examination.recent
        let rows = try connection.query(
            .Doctor.refusals,
            [.value(examination.app.appID), .value(span.lowerBound), .value(span.upperBound)])
        return try rows.compactMap { row in
            guard let refusal = RejectionClass(rawValue: try row.get("outcome_class")) else { return nil }
            return Fact(
                address: Address(
                    provider: try row.get("provider"), environment: try row.get("environment"),
                    topic: try row.get("topic")),
                build: AppBuild(platform: try row.get("platform"), version: try row.get("app_version")),
                refusal: refusal,
                refused: Proportion(try row.get("rejected"), of: try row.get("attempted")),
                answer: try answer(row))
        }
    }

    /// `403 ExpiredProviderToken`.
    private static func answer(_ row: PostgresRow) throws(PostgresError) -> String? {
        guard let status: Int32 = try row.getOptional("status") else { return nil }
        let reason: String = try row.get("reason")
        return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
    }
}
