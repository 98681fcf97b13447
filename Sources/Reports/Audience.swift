internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Installations that could be shown a notification as things stand.
enum Audience {
    static func count(
        of app: App, on connection: PostgresConnection, now: Instant
    ) throws(PostgresError) -> Int64 {
        let kinds = TokenKind.alerting.map(\.rawValue)
        let rows = try connection.query(
            .Reports.audience, [.value(app.appID), .array(kinds), .value(now)])
        return try rows.first?.get("audience") ?? 0
    }
}
