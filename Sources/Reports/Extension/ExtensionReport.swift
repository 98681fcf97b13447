public import DeliveryModel
package import PostgresClient

/// Whether the notification service extensions report arrivals, by platform, version of the app and
/// version of the operating system.
public struct ExtensionReport: SheetReport, Hashable {
    public enum Health: String, Sendable {
        case reports
        /// The version still reports, but fewer arrivals than before, by the doctor's rules.
        case reportsLess = "reports_less"
        /// The version reports, but no arrival from this window, or none at present.
        case silent
        /// The version of the app has no reporting extension, in any window. Arrivals are from a
        /// version that the installation was updated to, or strays.
        case neverReports = "never_reports"
        /// No arrival was reported of pushes to an unknown version: whether it ever reports is unknown.
        case unknownVersion = "unknown_version"
        /// Too little was sent to judge the extension.
        case tooFew = "too_few"
        /// Nothing in this window was reportable.
        case notAsked = "not_asked"
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        /// Accepted, reportable, arrivedReportable, confirmedUnreported, respondedReportable; others are 0.
        public let counts: MeasureCounts
        public let health: Health
        /// The last quarter hour of sending in the window with a reported arrival; `nil` if there is none.
        public let lastReportedAt: Instant?
        public internal(set) var runs = ExtensionRuns()
    }

    public static let name = "extension"
    /// The dimensions of a row's key, regardless of the query.
    public static let dimensions: [Dimension] = [.platform, .appVersion, .osVersion]
    /// Versions with fewer reportable notifications are not judged.
    package static let fewestReportable: Int64 = 50

    public var frame: ReportFrame
    /// The rows by platform, newest version first.
    public var rows: [Row]
    public let totals: MeasureCounts
    public let completeness: Completeness?

    public var isEmpty: Bool { rows.isEmpty }

    /// It is never compared.
    public var comparison: ReportComparison? {
        get { nil }
        set {}
    }

    /// Reads the counters by segment in one snapshot. Ignores the query's breakdown and comparison.
    ///
    /// - Parameter health: reads the present health of versions that reported arrivals in the window.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    package static func run(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant,
        health: () throws -> (AppBuild, _ lastReportedAt: Instant?) -> Health
    ) throws -> ExtensionReport {
        try connection.snapshot {
            let kept = try KeptNotifications(of: query.app, query.window, heldOn: connection)
            let rows = try readRows(query, areKept: kept.areAll, health(), on: connection)
            let totals = try Counters(query, on: connection).totals()
            return try ExtensionReport(
                frame: ReportFrame(report: name, query: query, unit: .notifications, asOf: now), rows: rows,
                totals: totals,
                completeness: Completeness.read(
                    query, accepted: totals[.accepted], asOf: now, on: connection))
        }
    }

    /// - Parameter totals: of the same window and filters, counted separately.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(frame: ReportFrame, rows: [Row], totals: MeasureCounts, completeness: Completeness? = nil)
        throws(ReportError)
    {
        let rules = AddingUp(report: frame.report)
        var sums = MeasureCounts()
        for row in rows {
            sums += row.counts
            try rules.check(row.arrival, "arrival", place: row.key.inWords)
            try rules.check(row.receiptLoss, "receipt_loss", place: row.key.inWords)
        }
        for measure in CapableCounters.measures {
            try rules.require(totals[measure], ==, sums[measure], "\(measure.rawValue) = Σ rows")
        }
        self.frame = frame
        self.rows = rows.sorted { VersionOrder.comesBefore($0.key, $1.key) }
        self.totals = sums
        self.completeness = completeness
    }

    private static func readRows(
        _ query: ReportQuery, areKept: Bool, _ present: (AppBuild, Instant?) -> Health,
        on connection: PostgresConnection
    ) throws(PostgresError) -> [Row] {
        let segmentIDs = try query.segmentIDs(on: connection)
        let asked = try query.clamped(on: connection).asked
        let parameters: [PostgresParameter] = [
            .value(query.app.appID), .value(asked.lowerBound), .value(asked.upperBound),
            .values(query.values(of: .campaign)), .values(query.values(of: .variant)),
            segmentIDs.map { .array($0) } ?? .noArray(of: Int64.self),
        ]
        let found = try connection.query(.Reports.extensionHealth, parameters)
        let runs = try ExtensionRunsByVersion(query.app, parameters, areKept: areKept, on: connection)
        var rows: [Row] = []
        for row in found {
            var counts = MeasureCounts()
            for measure in CapableCounters.measures { counts[measure] = try row.get(measure.rawValue) }
            var key: [String] = []
            for dimension in dimensions { key.append(try row.get(dimension.rawValue)) }
            let parts = zip(dimensions, key).map { RowKey.Part($0, $1.isEmpty ? nil : $1) }
            let lastReportedAt: Instant? = try row.getOptional("last_reported_at")
            var health = Health(
                counts, isVersionKnown: parts.contains { $0.dimension == .appVersion && $0.value != nil },
                versionReports: try row.get("version_reports"))
            if health == .reports {
                health = present(AppBuild(platform: key[0], version: key[1]), lastReportedAt)
            }
            rows.append(
                Row(
                    key: RowKey(parts), counts: counts, health: health, lastReportedAt: lastReportedAt,
                    runs: runs[key]))
        }
        return rows
    }
}

extension ExtensionReport.Health {
    init(_ counts: MeasureCounts, isVersionKnown: Bool, versionReports: Bool) {
        if counts[.reportable] == 0 {
            self = .notAsked
        } else if counts[.arrivedReportable] > 0, versionReports || !isVersionKnown {
            self = .reports
        } else if counts[.reportable] < ExtensionReport.fewestReportable {
            self = .tooFew
        } else if !isVersionKnown {
            self = .unknownVersion
        } else {
            self = versionReports ? .silent : .neverReports
        }
    }
}

extension ExtensionReport.Row {
    public var arrival: Proportion { Rate.arrival.proportion(in: counts) }
    public var receiptLoss: Proportion { Rate.receiptLoss.proportion(in: counts) }
}

/// What is known about the extensions of a version beside the counters.
public struct ExtensionRuns: Hashable, Sendable {
    /// The versions of the device kit that installations of this app version registered, the newest first.
    /// They do not depend on the window.
    public var kits: [String] = []
    /// Runs that the system ended after 30 seconds; `nil` if the window's notifications are gone.
    public var expired: Int64?
    /// Runs that could not load the attachment; `nil` likewise.
    public var attachmentsFailed: Int64?
}

/// Reads ``ExtensionRuns`` by the key of a row.
struct ExtensionRunsByVersion {
    private var kits: [AppBuild: [String]] = [:]
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
            kits[try row.decode(AppBuild.self), default: []].append(try row.get("kit"))
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
            kits: (kits[AppBuild(platform: key[0], version: key[1])] ?? [])
                .sorted { VersionOrder.isNewer($0, than: $1) },
            expired: areKept ? outcome.expired : nil,
            attachmentsFailed: areKept ? outcome.attachmentsFailed : nil)
    }
}
