public import Instants
public import PostgresClient
internal import SQLFiles

/// Pushes to installations whose account had left: it had signed out, and none had signed in since. Someone other than the
/// addressee may have read them.
public struct AccountDepartures: Hashable, Sendable {
    public let pushes: Int64
    /// The number of installations that they were sent to.
    public let installations: Int64

    /// Counts the notifications sent within a period, row by row: exact, and as expensive as there are rows.
    ///
    /// - Parameters:
    ///   - from: inclusive.
    ///   - to: exclusive.
    ///   - installationID: `nil` for all installations of the app.
    public static func count(
        of appID: Int64, from: Instant, to: Instant, installationID: Int64? = nil,
        on connection: PostgresConnection
    ) throws -> AccountDepartures {
        let row = try connection.query(
            .Tokens.countPushesAfterDeparture,
            [.value(appID), .value(from), .value(to), .value(installationID)]
        ).single()
        return AccountDepartures(
            pushes: try row.get("push_count"), installations: try row.get("installation_count"))
    }
}
