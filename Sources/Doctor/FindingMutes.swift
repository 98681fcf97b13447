public import DeliveryModel
public import PostgresClient

/// A finding of an app that the console does not show among today's problems until an instant.
public struct FindingMute: Hashable, Decodable, Sendable {
    public let finding: Finding.ID
    public let until: Instant
    /// The name of the person.
    public let mutedBy: String
    public let createdAt: Instant
}

/// The findings that people do not want to see for a while, because they know them. A mute concerns all
/// findings of one id in one app. It changes neither the doctor's report nor ``FindingEpisodes``.
public enum FindingMutes {
    /// The mutes that are still in force.
    public static func list(
        of app: App, now: Instant, on connection: PostgresConnection
    ) throws(PostgresError) -> [FindingMute] {
        var mutes: [FindingMute] = []
        for row in try connection.query(.Doctor.listMutes, [.value(app.appID), .value(now)]) {
            // Another version of Landfall may know more findings.
            guard Finding.ID(rawValue: try row.get("finding")) != nil else { continue }
            mutes.append(try row.decode())
        }
        return mutes
    }

    /// Mutes a finding; replaces an earlier mute.
    ///
    /// - Parameter until: after `now`.
    public static func mute(
        _ finding: Finding.ID, of app: App, until: Instant, by name: String, now: Instant,
        on connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.fence([app.appID])
        try connection.query(
            .Doctor.muteFinding,
            [.value(app.appID), .value(finding.rawValue), .value(until), .value(name), .value(now)])
    }

    /// Removes the mutes that are no longer in force.
    public static func removeExpired(now: Instant, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.Doctor.removeExpiredMutes, [.value(now)])
    }

    /// - Returns: false if the finding was not muted.
    @discardableResult
    public static func unmute(
        _ finding: Finding.ID, of app: App, on connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
        try connection.fence([app.appID])
        let rows = try connection.query(.Doctor.unmuteFinding, [.value(app.appID), .value(finding.rawValue)])
        return rows.first != nil
    }
}
