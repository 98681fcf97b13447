internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

extension RejectedBuilds {
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let (app, span) = (examination.app.appID, examination.recent)
        let counted = try connection.query(
            .Doctor.rejections,
            [
                .value(app), .value(examination.weekBefore.lowerBound), .value(span.lowerBound),
                .value(span.upperBound),
            ])
        let responded = try connection.query(
            .Doctor.rejectionResponses,
            [
                .value(app), .value(span.lowerBound), .value(span.upperBound),
                .array(Fact.classes.map(\.rawValue)),
            ])
        var facts = Facts()
        for row in counted {
            let fact = Fact(
                address: try address(row, provider: "provider"), build: try build(row),
                hour: try row.getOptional("hour"), attempted: try row.get("attempted"),
                rejections: try rejections(row))
            if fact.hour == nil { facts.before.append(fact) } else { facts.lately.append(fact) }
        }
        for row in responded {
            facts.responses.append(
                Responded(
                    address: try address(row, provider: "sent_through"), build: try build(row),
                    hour: try row.get("hour"), response: try RejectedResponse(row),
                    rejected: try row.get("rejected")))
        }
        return facts
    }

    private static func address(_ row: PostgresRow, provider: String) throws(PostgresError) -> Address {
        Address(
            provider: try row.get(provider), environment: try row.get("environment"),
            topic: try row.get("topic"))
    }

    private static func build(_ row: PostgresRow) throws(PostgresError) -> AppBuild {
        AppBuild(platform: try row.get("platform"), version: try row.get("app_version"))
    }

    private static func rejections(_ row: PostgresRow) throws(PostgresError) -> [RejectionClass: Int64] {
        var rejections: [RejectionClass: Int64] = [:]
        for rejection in Fact.classes { rejections[rejection] = try row.get(rejection.rawValue) }
        return rejections
    }
}
