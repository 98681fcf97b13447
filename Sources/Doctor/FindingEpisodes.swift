public import DeliveryModel
public import PostgresClient

/// A stretch of time in which an app had a finding.
public struct FindingEpisode: Hashable, Decodable, Sendable {
    public let id: Int64
    /// The id of the finding, as text: another version may have recorded one that this version does not know.
    public let finding: String
    /// The highest during the episode.
    public let severity: Finding.Severity
    /// The sentence of the last examination that reported the finding.
    public let sentence: String
    /// The first examination that reported the finding.
    public let openedAt: Instant
    /// The last examination that reported it.
    public let lastSeenAt: Instant
    /// The first examination that no longer reported it; `nil` while the episode is open.
    public let resolvedAt: Instant?
}

/// When apps had which findings.
///
/// An episode begins with an examination that reports a finding and ends with the first one that does not. A
/// finding that cannot be judged now, because too little was sent, counts as gone; so does one that is not
/// reported because another finding causes it. Several findings of one id, such as for two builds, are one
/// episode. Episodes are kept for 400 days after their end.
public enum FindingEpisodes {
    private static let retention = Span.standardRetention

    /// Opens, updates and resolves the episodes of the examined apps, in one transaction per app. Findings
    /// about the database as a whole are not recorded.
    ///
    /// - Throws: `PostgresError`.
    public static func record(
        _ report: DoctorReport, now: Instant, on connection: PostgresConnection
    ) throws {
        for patient in report.patients {
            guard let app = patient.app else { continue }
            let found = mostSevere(patient.findings)
            let ids = PostgresParameter.array(found.map(\.id.rawValue))
            let severities = PostgresParameter.array(found.map(\.severity.rawValue))
            let sentences = PostgresParameter.array(found.map(\.sentence))
            try connection.transaction {
                try connection.fence([app.appID])
                _ = try connection.query([
                    .init(
                        .Doctor.recordFindings,
                        [.value(app.appID), ids, severities, sentences, .value(now)]),
                    .init(.Doctor.resolveFindings, [.value(app.appID), ids, .value(now)]),
                ])
            }
        }
    }

    /// The episodes that were open at an instant or have opened since: the open ones first, then the newest.
    public static func list(
        of app: App, since instant: Instant, limit: Int = 200, on connection: PostgresConnection
    ) throws(PostgresError) -> [FindingEpisode] {
        try connection.query(
            .Doctor.listEpisodes, [.value(app.appID), .value(instant), .value(Int64(limit))]
        ).decode()
    }

    /// Removes the episodes that are no longer kept.
    public static func removeOld(now: Instant, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.Doctor.removeOldEpisodes, [.value(now - retention)])
    }

    /// One finding of each id.
    ///
    /// - Parameter findings: the most severe first.
    private static func mostSevere(_ findings: [Finding]) -> [Finding] {
        var known: Set<Finding.ID> = []
        return findings.filter { known.insert($0.id).inserted }
    }
}
