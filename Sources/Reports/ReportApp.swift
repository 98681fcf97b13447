public import PostgresClient
internal import SQLFiles

/// The app a report is about.
public struct ReportApp: Hashable, Sendable {
    public let id: Int64
    /// The name people type.
    public let slug: String

    public init(id: Int64, slug: String) {
        self.id = id
        self.slug = slug
    }

    /// Every app, by slug.
    public static func all(on connection: PostgresConnection) throws(PostgresError) -> [ReportApp] {
        let rows = try connection.query(.Reports.apps)
        var apps: [ReportApp] = []
        for row in rows {
            apps.append(ReportApp(id: try row.get("app_id"), slug: try row.get("slug")))
        }
        return apps
    }

    /// The app of that name; without a name the only one there is.
    ///
    /// - Throws: ``ReportError/noApp``, ``ReportError/appNotNamed(known:)``,
    ///   ``ReportError/unknownApp(_:known:)``.
    public static func named(_ slug: String?, among apps: [ReportApp]) throws(ReportError) -> ReportApp {
        guard let first = apps.first else { throw .noApp }
        let known = apps.map(\.slug)
        guard let slug else {
            guard apps.count == 1 else { throw .appNotNamed(known: known) }
            return first
        }
        guard let app = apps.first(where: { $0.slug == slug }) else {
            throw .unknownApp(slug, known: known)
        }
        return app
    }

    /// The campaigns the app has sent, by name; the empty one stands for notifications without a campaign.
    public func campaigns(on connection: PostgresConnection) throws(PostgresError) -> [String] {
        let rows = try connection.query(.Reports.campaigns, [.value(id)])
        var keys: [String] = []
        for row in rows { keys.append(try row.get("key")) }
        return keys
    }
}
