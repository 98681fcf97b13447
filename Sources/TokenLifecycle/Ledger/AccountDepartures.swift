public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// Pushes that were sent to installations whose account had left: signed out, and nobody signed in since. Somebody may have read
/// what was meant for another.
public struct AccountDepartures: Hashable, Sendable {
    public let pushes: Int64
    /// To which they were sent.
    public let installations: Int64

    /// Counts the rows of notifications of a span, by when they were sent: exact, and as much work as there are rows.
    ///
    /// - Parameters:
    ///   - from: inclusive.
    ///   - to: exclusive.
    ///   - installationID: nil for all installations of the app.
    public static func count(
        of appID: Int64, from: Instant, to: Instant, installationID: Int64? = nil,
        on connection: PostgresConnection
    ) throws -> AccountDepartures {
        let row = try connection.query(
            .Tokens.countPushesAfterDeparture,
            [.value(appID), .value(from), .value(to), .value(installationID)]
        ).single()
        return AccountDepartures(pushes: try row.get(0), installations: try row.get(1))
    }
}
