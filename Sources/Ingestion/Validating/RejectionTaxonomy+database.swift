public import DeliveryModel
public import PostgresClient

extension RejectionTaxonomy {
    /// Reads the table `provider_reason`. Rows whose class or verdict this program does not know are skipped:
    /// responses with those reasons then count as unknown and harm no token.
    public init(from connection: PostgresConnection) throws {
        var outcomes: [Key: ResponseOutcome] = [:]
        for row in try connection.query(.Ingestion.listProviderReasons) {
            guard let outcomeClass = OutcomeClass(name: try row.get("outcome_class")),
                let verdict = TokenVerdict(rawValue: try row.get("token_verdict"))
            else { continue }
            let key = Key(
                provider: try row.get("provider"), status: try row.get("status"),
                reason: try row.get("reason"))
            outcomes[key] = ResponseOutcome(outcomeClass, verdict)
        }
        self.init(outcomes)
    }
}
