public import Access
internal import Documents
public import Instants
public import PostgresClient
internal import SQLFiles

/// The number of items received since an hour, and their verdicts: received = accepted + duplicates + rejected.
public struct ReceivedItems: Hashable, Sendable {
    public let received: Int64
    public let accepted: Int64
    public let duplicates: Int64
    public let rejected: Int64

    /// - Parameter instant: moved back to the start of its hour (UTC).
    /// - Throws: `PostgresError`.
    public static func read(of app: App, since instant: Instant, on connection: PostgresConnection)
        throws(PostgresError) -> ReceivedItems
    {
        guard
            let row = try connection.query(
                .Reports.receivedItems, [.value(app.appID), .value(instant.startOfHour)]
            ).first
        else { return ReceivedItems(received: 0, accepted: 0, duplicates: 0, rejected: 0) }
        return ReceivedItems(
            received: try row.get("received"), accepted: try row.get("accepted"),
            duplicates: try row.get("duplicates"), rejected: try row.get("rejected"))
    }

    var json: JSONValue {
        [
            "received": .integer(received), "accepted": .integer(accepted),
            "duplicates": .integer(duplicates), "rejected": .integer(rejected),
        ]
    }
}
