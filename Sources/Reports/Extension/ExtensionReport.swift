internal import Access
public import DeliveryModel
public import Instants
public import PostgresClient
internal import SQLFiles

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
        /// Accepted, reportable, arrivedReportable, confirmedUnreported and respondedReportable; all others are 0.
        public let counts: MeasureCounts
        public let health: Health
        /// The last quarter hour of sending in the window with a reported arrival; `nil` if there is none.
        public let lastReportedAt: Instant?
        public internal(set) var runs = ExtensionRuns()
    }

    public static let name = "extension"
    /// The dimensions of a row's key, regardless of the query.
    public static let dimensions: [Dimension] = [.platform, .appVersion, .osVersion]

    public var frame: ReportFrame
    /// The rows by platform, newest version first.
    public var rows: [Row]
    public let totals: MeasureCounts
    /// `nil` in a report that was not read from a database.
    public let completeness: Completeness?

    public var isEmpty: Bool { rows.isEmpty }

    /// It is never compared.
    public var comparison: ReportComparison? {
        get { nil }
        set {}
    }

    /// Reads the counters by segment in one snapshot. Ignores the query's breakdown and comparison.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> ExtensionReport
    {
        try connection.snapshot {
            let kept = try KeptNotifications(of: query.app, query.window, heldOn: connection)
            let present = try PresentExtensions(query, now: now, on: connection)
            let rows = try readRows(query, areKept: kept.areAll, present, on: connection)
            let totals = try Counters(query, on: connection).totals()
            return try ExtensionReport(
                frame: ReportFrame(report: name, query: query, unit: .notifications, asOf: now), rows: rows,
                totals: totals,
                completeness: Completeness.read(
                    query, accepted: totals[.accepted], asOf: now, on: connection))
        }
    }

    /// - Parameter totals: of the same window and filters, counted separately.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the numbers
    ///   contradict each other: no such value can exist.
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
        _ query: ReportQuery, areKept: Bool, _ present: PresentExtensions, on connection: PostgresConnection
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
                health = present.health(
                    of: AppBuild(platform: key[0], version: key[1]), lastReportedAt: lastReportedAt)
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
        } else if counts[.reportable] < DoctorRules().reportable {
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
