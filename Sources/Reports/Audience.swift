internal import PostgresClient
internal import SQLFiles

/// Installations that could be shown a notification as things stand.
enum Audience {
    /// Kinds of token whose pushes show something; a VoIP or Live Activity token alone makes no audience.
    static let kinds = ["alert", "fcm", "web_push"]

    static func count(of app: ReportApp, on connection: PostgresConnection) throws(PostgresError) -> Int64 {
        let rows = try connection.query(.Reports.audience, [.value(app.id), .array(kinds)])
        return try rows.first?.get("audience") ?? 0
    }
}
