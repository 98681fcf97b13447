internal import Access
internal import PostgresClient
internal import SQLFiles

/// What is known about the extensions of a version beside the counters.
public struct ExtensionRuns: Hashable, Sendable {
    /// The versions of the device kit that installations of this app version registered, the newest first. They do not depend on the window.
    public var kits: [String] = []
    /// Runs that the system ended after 30 seconds; `nil` if the notifications of the window are no longer kept.
    public var expired: Int64?
    /// Runs that could not load the attachment; `nil` likewise.
    public var attachmentsFailed: Int64?
}

/// Reads ``ExtensionRuns`` by the key of a row.
struct ExtensionRunsByVersion {
    private struct Version: Hashable {
        let platform: String
        let appVersion: String
    }

    private var kits: [Version: [String]] = [:]
    /// The outcomes by platform, app version and OS version.
    private var outcomes: [[String]: (expired: Int64, attachmentsFailed: Int64)] = [:]
    private let areKept: Bool

    /// Registrations may forge versions, up to their quota.
    private static let mostKits: Int64 = 10_000

    /// - Parameters:
    ///   - parameters: of the report's query: `extension_health`.
    ///   - areKept: whether all notifications of the window are kept.
    init(
        _ app: App, _ parameters: [PostgresParameter], areKept: Bool, on connection: PostgresConnection
    ) throws(PostgresError) {
        self.areKept = areKept
        for row in try connection.query(.Reports.kits, [.value(app.appID), .value(Self.mostKits)]) {
            let version = Version(platform: try row.get("platform"), appVersion: try row.get("app_version"))
            kits[version, default: []].append(try row.get("kit"))
        }
        guard areKept else { return }
        for row in try connection.query(.Reports.extensionOutcomes, parameters) {
            var key: [String] = []
            for dimension in ExtensionReport.dimensions { key.append(try row.get(dimension.rawValue)) }
            outcomes[key] = (try row.get("expired"), try row.get("attachment_failed"))
        }
    }

    /// - Parameter key: platform, app version and OS version, empty if unknown.
    subscript(key: [String]) -> ExtensionRuns {
        let outcome = outcomes[key] ?? (0, 0)
        return ExtensionRuns(
            kits: (kits[Version(platform: key[0], appVersion: key[1])] ?? [])
                .sorted { VersionOrder.isNewer($0, than: $1) },
            expired: areKept ? outcome.expired : nil,
            attachmentsFailed: areKept ? outcome.attachmentsFailed : nil)
    }
}
