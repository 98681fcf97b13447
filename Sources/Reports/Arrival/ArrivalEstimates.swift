public import DeliveryModel
internal import PostgresClient

/// The estimates of a report: for its totals and for each row.
public struct ArrivalEstimates: Hashable, Sendable {
    /// Whether to read the estimates. The headline counters do not contain versions. Those by
    /// segment do, and are a hundred times as many.
    public enum Scope: Hashable, Sendable {
        /// Only windows of up to ``longestWindow``.
        case shortWindows
        case always
        case never

        func covers(_ query: ReportQuery) -> Bool {
            switch self {
            case .shortWindows: query.window.to - query.window.from <= ArrivalEstimates.longestWindow
            case .always: true
            case .never: false
            }
        }
    }

    /// A week, plus the extra hour when daylight saving time ends.
    public static let longestWindow = Span.hours(7 * 24 + 1)

    /// The reason why a report has no estimates at all.
    public static let unreadReason =
        "not computed for windows of more than 7 days unless requested (--estimate)"

    public let totals: ArrivalEstimate
    public internal(set) var rows: [RowKey: ArrivalEstimate] = [:]

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the counters by
    ///   segment contradict those of the report, `PostgresError`.
    static func read(
        _ query: ReportQuery, rows: [CountedRow], totals: MeasureCounts, on connection: PostgresConnection
    ) throws -> ArrivalEstimates {
        let capable = try CapableCounters(query, on: connection)
        try check(capable.totals, against: totals, place: "the totals")
        var estimates: [RowKey: ArrivalEstimate] = [:]
        for row in rows {
            let counts = capable.rows[row.key] ?? MeasureCounts()
            try check(counts, against: row.counts, place: row.key.inWords)
            estimates[row.key] = ArrivalEstimate(accepted: row.counts[.accepted], capable: counts)
        }
        return ArrivalEstimates(
            totals: ArrivalEstimate(accepted: totals[.accepted], capable: capable.totals), rows: estimates)
    }

    /// Notifications to some versions are a part of those to all.
    private static func check(
        _ capable: MeasureCounts, against all: MeasureCounts, place: String
    ) throws(ReportError) {
        let rules = AddingUp(report: Funnel.name)
        for measure in CapableCounters.measures {
            try rules.require(
                capable[measure], <=, all[measure],
                "\(measure.rawValue) of versions that report ≤ \(measure.rawValue)", place)
        }
        let estimate = ArrivalEstimate(accepted: all[.accepted], capable: capable)
        try rules.check(estimate.arrivalCapable, "arrival_capable", place: place)
        try rules.check(estimate.coverage, "coverage", place: place)
        try rules.check(estimate.receiptLoss, "receipt_loss", place: place)
    }
}

/// The counters of notifications to versions of the app that report arrivals (the view `reporting_version`).
struct CapableCounters {
    /// The measures that estimates are computed from.
    static let measures: [Measure] = [
        .accepted, .reportable, .arrivedReportable, .confirmedUnreported, .respondedReportable,
    ]

    /// The rows by the query's breakdown; without one, a single row under the empty key.
    private(set) var rows: [RowKey: MeasureCounts] = [:]
    /// The sum of the rows: each notification is in exactly one of them.
    private(set) var totals = MeasureCounts()

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        for row in try Counters(query, on: connection).capable() {
            rows[row.key] = row.counts
            totals += row.counts
        }
    }
}

/// The share of notifications that arrived on a device, as far as the versions of the app can tell.
public struct ArrivalEstimate: Hashable, Sendable {
    /// Accepted notifications, to any version.
    public let accepted: Int64
    /// Counts of notifications to versions that report arrivals; measures that are not needed are 0.
    public let capable: MeasureCounts

    public init(accepted: Int64, capable: MeasureCounts) {
        (self.accepted, self.capable) = (accepted, capable)
    }

    /// Still a lower bound: extensions can be killed, and their arrivals lost.
    public var arrivalCapable: Proportion {
        Proportion(capable[.arrivedReportable], of: capable[.reportable])
    }

    /// The share of accepted notifications that went to versions that report arrivals.
    public var coverage: Proportion { Proportion(capable[.accepted], of: accepted) }

    /// The share of notifications with a reaction whose arrival was not reported.
    public var receiptLoss: Proportion { Rate.receiptLoss.proportion(in: capable) }

    /// Notifications with both an arrival and a reaction.
    public var recaptures: Int64 { capable[.respondedReportable] - capable[.confirmedUnreported] }

    /// The number of recaptures below which the estimate means little.
    public static let fewestRecaptures: Int64 = 30

    /// The reason why there is no estimate.
    public enum Obstacle: Hashable, Sendable, CustomStringConvertible {
        /// None of the known versions reports arrivals. Devices that do not state their version may do so.
        case nothingReports
        /// No accepted notification could report its arrival, whatever version it went to.
        case nothingReportable
        case tooFewRecaptures(Int64)

        public var description: String {
            switch self {
            case .nothingReports: "no known version of the app reports arrivals here"
            case .nothingReportable: "no accepted notification here could report its arrival"
            case .tooFewRecaptures(let count):
                "only \(count) were both reported and seen otherwise; \(ArrivalEstimate.fewestRecaptures) are required"
            }
        }
    }

    public var obstacle: Obstacle? {
        if capable[.accepted] == 0, accepted > 0 { return .nothingReports }
        if capable[.reportable] == 0 { return .nothingReportable }
        return recaptures < Self.fewestRecaptures ? .tooFewRecaptures(recaptures) : nil
    }

    /// An estimated number of notifications as a share of the reportable ones.
    public struct Estimated: Hashable, Sendable {
        /// Not a whole number; at most the number of reportable notifications.
        public let notifications: Double
        public let reportable: Int64
        public let interval: ClosedRange<Double>

        public var value: Double { notifications / Double(reportable) }
    }

    /// Estimates by capture and recapture: arrivals are one sighting, all others (presented,
    /// clicked, dismissed, witnessed) the other. `nil` if there is an ``obstacle``.
    ///
    /// Correct as long as the loss of an arrival does not depend on whether there is another sighting.
    public var estimated: Estimated? {
        let reportable = capable[.reportable]
        guard obstacle == nil,
            let sightings = CaptureRecapture(
                first: capable[.arrivedReportable], second: capable[.respondedReportable],
                recaptured: recaptures)
        else { return nil }
        let (all, interval) = (Double(reportable), sightings.interval)
        return Estimated(
            notifications: min(sightings.estimate, all), reportable: reportable,
            interval: min(interval.lowerBound / all, 1)...min(interval.upperBound / all, 1))
    }
}

extension ArrivalEstimate {
    /// The columns of estimates. The estimated rate has the shape of a rate, but a fractional numerator.
    static var fields: [SheetField<EstimatedCounts>] {
        [
            SheetField(SheetColumn("arrival_capable", .rate, in: [.rows, .totals, .csv])) {
                $0.arrivals.map { .rate($0.arrivalCapable) } ?? .estimatedRate(.unknown)
            },
            SheetField(SheetColumn("coverage", .rate, in: [.rows, .totals, .csv], isPlain: true)) {
                $0.arrivals.map { .rate($0.coverage) } ?? .estimatedRate(.unknown)
            },
            SheetField(
                SheetColumn("arrival_estimated", .rate, title: "Estimated", in: [.rows, .totals, .csv])
            ) { .estimatedRate($0.arrivals?.estimatedRate ?? .unread) },
        ]
    }

    /// Its basis: `recaptures`, `receipt_loss`, and in `reason` why there is no estimate.
    var estimatedRate: EstimatedRate {
        EstimatedRate(
            numerator: estimated?.notifications, denominator: capable[.reportable], value: estimated?.value,
            interval: estimated?.interval,
            basis: [
                .init("recaptures", .integer(recaptures)), .init("receipt_loss", receiptLoss.json),
                .init("reason", .optional(obstacle?.description)),
            ])
    }

    /// The remarks below a funnel.
    var remarks: [SheetRemark] {
        let share = coverage.value.map {
            "\(Words.percent($0)) % of accepted notifications went to versions that report"
        }
        let loss = receiptLoss.value.map { "\(Words.percent($0)) %" } ?? "none"
        return [
            SheetRemark(
                "arrival, capable", .rate(arrivalCapable), share ?? "nothing was accepted",
                form: .atLeast, id: "arrival_capable"),
            SheetRemark(
                "arrival, estimated", .estimatedRate(estimatedRate),
                obstacle?.description
                    ?? "including lost receipts: \(loss) of \(Words.number(capable[.respondedReportable])) other sightings",
                id: "arrival_estimated"),
        ]
    }
}

extension EstimatedRate {
    /// The members of an estimate if nothing was read.
    fileprivate static let unread: EstimatedRate = {
        var rate = EstimatedRate.unknown
        rate.basis = [
            .init("recaptures", nil),
            .init(
                "receipt_loss", ["numerator": nil, "denominator": nil, "value": nil, "low": nil, "high": nil]),
            .init("reason", .string(ArrivalEstimates.unreadReason)),
        ]
        return rate
    }()
}
