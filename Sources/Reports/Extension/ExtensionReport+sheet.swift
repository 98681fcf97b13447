internal import DeliveryModel

extension ExtensionReport {
    /// The counts of a row or of the totals, which have no health.
    private struct Subject: Counted {
        let counts: MeasureCounts
        var row: Row?
    }

    private typealias Field = SheetField<Subject>

    private static func own(
        _ id: String, _ kind: SheetColumn.Kind, title: String? = nil, _ value: @escaping (Row) -> SheetValue
    ) -> Field {
        Field(SheetColumn(id, kind, title: title, at: [id], in: [.rows, .csv])) { $0.row.map(value) ?? .none }
    }

    /// `expired` and `attachment_failed` are null if the notifications are no longer kept.
    private static var fields: [Field] {
        CapableCounters.measures.map { measure in
            switch measure {
            case .arrivedReportable: .measure(measure, title: "Arrived")
            case .confirmedUnreported: .measure(measure, title: "Lost receipts")
            case .respondedReportable: .measure(measure, title: "Of sightings")
            default: .measure(measure)
            }
        } + [
            .rate(.arrival),
            Field(SheetColumn("receipt_loss", .rate, title: "Share")) {
                .rate(Rate.receiptLoss.proportion(in: $0.counts))
            },
            own("health", .words) { .words($0.health.rawValue, title: $0.health.title, ink: $0.health.ink) },
            own("last_reported_at", .instant, title: "Last reported") {
                $0.lastReportedAt.map { .instant($0) } ?? .none
            },
            own("kits", .names, title: "Kit") { .names($0.runs.kits) },
            own("expired", .number) { SheetValue($0.runs.expired) },
            own("attachment_failed", .number) { SheetValue($0.runs.attachmentsFailed) },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Extension", frame, Self.fields,
            rows: rows.map { ($0.key, Subject(counts: $0.counts, row: $0)) }, totals: Subject(counts: totals))
        sheet.isEmpty = isEmpty
        sheet.completeness = completeness
        sheet.keys = Self.dimensions
        sheet.hasOnlyRows = true
        sheet.headline = headline
        let showsKits = rows.contains { !$0.runs.kits.isEmpty }
        sheet.table = [
            [
                .key(.platform, isName: false), .key(.appVersion, title: "App"),
                .key(.osVersion, title: "System", isName: false),
            ],
            [
                .bar(SheetBar("of reportable", "arrival", .confirmed, scale: .one)), "reportable",
                "arrived_reportable", "arrival",
            ], ["confirmed_unreported", "responded_reportable", "receipt_loss"],
            [.column("last_reported_at"), .column("health")] + (showsKits ? [.column("kits")] : []),
        ]
        sheet.isTableFirst = true
        sheet.emptyTable = "Nothing was accepted in this window."
        sheet.pictures = [.figures(figures)]
        sheet.remarks = remarks
        sheet.remarkWidth = 14
        sheet.terms = ["reportable", "arrived", "arrival", "confirmed_unreported"]
        return sheet
    }

    private var figures: [SheetFigure] {
        let (arrival, loss) = (Rate.arrival.proportion(in: totals), Rate.receiptLoss.proportion(in: totals))
        return [
            SheetFigure(
                "reportable", .count(totals[.reportable]), "could have been reported", id: "reportable"),
            SheetFigure(
                "arrival, at least", .rate(arrival), detail(arrival, "reportable"), .confirmed,
                form: .atLeast, id: "arrival"),
            SheetFigure(
                "lost receipts", .count(loss.numerator), "\(Headline.share(loss)) of other sightings",
                .trouble, id: "receipt_loss"),
        ]
    }

    private func detail(_ rate: Proportion, _ whole: String) -> String {
        "\(Words.number(rate.numerator)) of \(Words.number(rate.denominator)) \(whole)"
            + (rate.interval.map { ", \(Words.percent($0.lowerBound))–\(Words.percent($0.upperBound)) %" }
                ?? "")
    }

    private var headline: String {
        let arrival = Rate.arrival.proportion(in: totals)
        guard arrival.denominator > 0 else { return "No arrival in this window could have been reported." }
        return
            "Extensions reported \(Headline.share(arrival)) of the \(Words.number(arrival.denominator)) notifications "
            + "that they could have reported."
    }

    private var remarks: [SheetRemark] {
        func remark(_ health: Health, _ meaning: String, isAlways: Bool = false) -> SheetRemark? {
            let count = rows.reduce(0) { $0 + ($1.health == health ? $1.counts[.reportable] : 0) }
            return count > 0 || isAlways
                ? SheetRemark(health.title, .count(count), "reportable, " + meaning) : nil
        }
        return [
            remark(
                .neverReports, "to versions of the app without an extension that reports", isAlways: true),
            remark(
                .silent, "to versions that reported before, but nothing in this window or at present",
                isAlways: true),
            remark(.reportsLess, "to versions that report less than before (landfall doctor)"),
            remark(.unknownVersion, "to an unknown version, and not reported"),
            remark(.tooFew, "fewer than 50 to each version: too few to judge"),
            runs(\.expired, "expired", "extension runs that the system ended after 30 seconds"),
            runs(\.attachmentsFailed, "no attachment", "extension runs that could not load the attachment"),
        ].compactMap(\.self)
    }

    /// `nil` if there is none.
    private func runs(
        _ count: KeyPath<ExtensionRuns, Int64?>, _ name: String, _ meaning: String
    ) -> SheetRemark? {
        let sum = rows.reduce(0) { $0 + ($1.runs[keyPath: count] ?? 0) }
        return sum > 0 ? SheetRemark(name, .count(sum), meaning) : nil
    }
}

extension ExtensionReport.Health {
    var title: String {
        switch self {
        case .reports: "reports"
        case .reportsLess: "reports less"
        case .silent: "silent"
        case .neverReports: "never reports"
        case .unknownVersion: "unknown"
        case .tooFew: "too few"
        case .notAsked: "nothing to report"
        }
    }

    fileprivate var ink: Ink? {
        switch self {
        case .reports: .confirmed
        case .reportsLess, .silent, .neverReports: .trouble
        case .tooFew: nil
        case .unknownVersion, .notAsked: .aside
        }
    }
}
