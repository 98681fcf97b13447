internal import DeliveryModel
internal import PostgresClient

/// Queries the database for the cause of suspicious rejections: the token, its environment, or the sender.
struct EnvironmentInquiry {
    let connection: PostgresConnection
    /// A cache that saves successive batches from counting the same peers.
    let recent: TimedCache<PeerGroup, PeerCounts>
    /// The maximum number of groups of a batch that are counted, the largest first: each costs a query of the
    /// app's counters. A wrong environment affects many tokens of a few app versions.
    private static let mostGroups = 50

    /// The evidence for a wrong environment, by token. Cheap for thousands of tokens of a few app versions.
    ///
    /// - Throws: `PostgresError`.
    func evidence(_ tokenIDs: Set<Int64>, now: Instant) throws -> [Int64: EnvironmentEvidence] {
        guard !tokenIDs.isEmpty else { return [:] }
        let rows = try connection.query(.Tokens.findKnownElsewhere, [.array(tokenIDs.sorted())])
        var evidence: [Int64: EnvironmentEvidence] = [:]
        var groups: [PeerGroup: [Int64]] = [:]
        for row in rows {
            let tokenID: Int64 = try row.get("token_id")
            let group = PeerGroup(
                appID: try row.get("app_id"), provider: try row.get("provider"),
                environment: try row.get("environment"), topic: try row.get("topic"),
                appVersion: try row.get("app_version"))
            groups[group, default: []].append(tokenID)
            var known = EnvironmentEvidence()
            known.otherEnvironment = try row.getOptional("other_environment")
            known.otherRegisteredAt = try row.getOptional("other_registered_at")
            known.otherAcceptedAt = try row.getOptional("other_accepted_at")
            known.appVersion = group.appVersion
            evidence[tokenID] = known
        }
        let largest = groups.sorted { $0.value.count > $1.value.count }.prefix(Self.mostGroups).map(\.key)
        for (group, counts) in try recent.values(of: largest, now: now, read: { try read($0, now: now) }) {
            let tokenIDs = groups[group] ?? []
            // Rejected tokens are suspect in the database, this batch, or both; a token is not its own peer.
            let rejected = max(counts.tokenCount, Int64(tokenIDs.count)) - 1
            for tokenID in tokenIDs {
                evidence[tokenID]?.attemptedCount = counts.attemptedCount
                evidence[tokenID]?.rejectedCount = counts.rejectedCount
                evidence[tokenID]?.rejectedPeerCount = min(max(0, rejected), EnvironmentEvidence.countedPeers)
            }
        }
        return evidence
    }

    private func read(_ groups: [PeerGroup], now: Instant) throws -> [PeerGroup: PeerCounts] {
        let rows = try connection.query(
            .Tokens.countRejectedPeers,
            [
                .array(groups.map(\.appID)), .array(groups.map(\.provider)),
                .array(groups.map(\.environment)), .array(groups.map(\.topic)),
                .array(groups.map(\.appVersion)), .value(now - EnvironmentEvidence.window),
                .value(EnvironmentEvidence.countedPeers + 1),
            ])
        return try rows.reduce(into: [:]) { counts, row in
            counts[groups[try row.askedIndex]] = try row.decode(PeerCounts.self)
        }
    }
}

/// Tokens whose pushes are rejected alike if the environment is wrong.
struct PeerGroup: Hashable {
    let appID: Int64
    let provider: String
    let environment: String
    let topic: String
    let appVersion: String
}

struct PeerCounts: Decodable {
    let attemptedCount: Int64
    let rejectedCount: Int64
    let tokenCount: Int64
}
