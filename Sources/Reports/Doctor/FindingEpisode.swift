public import Instants
internal import PostgresClient

/// A stretch of time in which an app had a finding.
public struct FindingEpisode: Hashable, Sendable {
    public let id: Int64
    /// The id of the finding, as text: another version of Landfall may have recorded one that this version does not know.
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

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.get("finding_episode_id")
        finding = try row.get("finding")
        severity = try row.get("severity")
        sentence = try row.get("sentence")
        openedAt = try row.get("opened_at")
        lastSeenAt = try row.get("last_seen_at")
        resolvedAt = try row.getOptional("resolved_at")
    }
}
