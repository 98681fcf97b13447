public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// Asks the database what is behind suspicious refusals: the token, its environment, or the sender.
public struct EnvironmentInquiry {
    private let connection: PostgresConnection

    public init(on connection: PostgresConnection) {
        self.connection = connection
    }

    /// What speaks for a wrong environment, by token. Cheap for thousands of tokens of a few app versions.
    ///
    /// - Parameter refusals: each token with the class of the answer that refused it.
    /// - Throws: `PostgresError`.
    public func evidence(_ refusals: [Int64: OutcomeClass], now: Instant) throws -> [Int64:
        EnvironmentEvidence]
    {
        guard !refusals.isEmpty else { return [:] }
        let asked = refusals.sorted { $0.key < $1.key }
        let rows = try connection.query(
            .Tokens.weighSuspicion,
            [
                .array(asked.map(\.key)), .array(asked.map(\.value.name)),
                .value(now - EnvironmentEvidence.window), .value(EnvironmentEvidence.countedPeers),
            ])
        var evidence: [Int64: EnvironmentEvidence] = [:]
        for row in rows {
            evidence[try row.get(0)] = EnvironmentEvidence(
                otherEnvironment: try row.getOptional(1), otherRegisteredAt: try row.getOptional(2),
                otherAcceptedAt: try row.getOptional(3), appVersion: try row.get(4),
                attemptedCount: try row.get(5), refusedCount: try row.get(6),
                refusedPeerCount: try row.get(7))
        }
        return evidence
    }

    /// The verdict on one token as of now; nil when there is no such token.
    ///
    /// - Parameter outcomeClass: of the answer that refused it.
    /// - Throws: `PostgresError`.
    public func verdict(
        on tokenID: Int64, refusedAs outcomeClass: OutcomeClass = .rejected(.tokenSuspect), now: Instant
    ) throws -> (verdict: EnvironmentVerdict, evidence: EnvironmentEvidence)? {
        let rows = try connection.query(.Tokens.readTokens, [.array([tokenID])])
        guard let token = try Token.all(in: rows, from: 0).first,
            var evidence = try evidence([tokenID: outcomeClass], now: now)[tokenID]
        else { return nil }
        evidence.acceptedAt = token.lastAcceptedAt
        return (EnvironmentVerdict(evidence), evidence)
    }
}
