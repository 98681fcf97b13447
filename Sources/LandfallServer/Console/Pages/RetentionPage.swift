internal import DeliveryModel
internal import Ingestion
internal import Instants
internal import Maintenance
internal import PostgresClient
internal import Rendering
internal import Reports

/// What is kept for how long, and how much room the notifications take.
struct RetentionPage {
    let retention: Span
    let months: [KeptMonth]
    let databaseBytes: Int64

    static func read(on connection: PostgresConnection) throws -> RetentionPage {
        RetentionPage(
            retention: try RetentionSetting.read(on: connection) ?? .standardRetention,
            months: try KeptMonth.all(on: connection),
            databaseBytes: try KeptMonth.databaseBytes(on: connection))
    }

    var htmlPage: HTMLPage {
        let kept = months.reduce(0) { $0 + $1.days }
        let bytes = months.reduce(0) { $0 + $1.bytes }
        return HTMLPage(
            title: "Retention", subject: "", headline: "Notifications are kept for \(days).",
            facts: [("days", "UTC days by the time of sending")],
            sections: [
                .figures([
                    PageFigure(name: "partitions", value: grouped(kept), detail: "one per UTC day"),
                    PageFigure(
                        name: "notifications", value: Self.size(bytes), detail: "rows and their indexes"),
                    PageFigure(name: "database", value: Self.size(databaseBytes), detail: "everything"),
                ]), .table(PageTable(table, caption: "By month")),
                .table(PageTable(rules, caption: "How long data is kept")),
            ])
    }

    private var days: String { "\(grouped(retention.milliseconds / Span.days(1).milliseconds)) days" }

    private var table: TextTable {
        var table = TextTable([
            .init("Month", isNumber: false, group: 0), .init("Days", group: 1), .init("Size", group: 1),
            .init(bar: "of largest", group: 1),
        ])
        let largest = months.map(\.bytes).max() ?? 0
        table.rows = months.map { month in
            [
                .init(month.month), .init(grouped(month.days)), .init(Self.size(month.bytes)),
                .bar(month.bytes, of: largest, .accepted, .page),
            ]
        }
        return table
    }

    private var rules: TextTable {
        var table = TextTable([
            .init("What", isNumber: false, group: 0), .init("How long", isNumber: false, group: 1),
            .init("Changed by", isNumber: false, group: 1),
        ])
        table.rows = [
            [
                "notifications", days, "retention.days",
            ],
            ["counters", "permanently", "–"],
            ["tokens and installations", "until the device or account is erased", "landfall erase"],
            [
                "rejected items", "until replayed or dropped; the oldest go when the quarantine is full",
                "landfall quarantine",
            ],
            ["audit, and what the doctor found", "400 days", "–"],
            ["sessions", "12 hours without use, at most 30 days", "–"],
        ].map { cells in cells.map { TextTable.Cell($0) } }
        return table
    }

    /// `1.2 GB`; a kilobyte has 1,000 bytes.
    private static func size(_ bytes: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        var size = Double(bytes) / 1_000
        var unit = 0
        while size >= 999.5, unit + 1 < units.count { (size, unit) = (size / 1_000, unit + 1) }
        let tenths = Int64((size * 10).rounded())
        return size < 10
            ? "\(tenths / 10).\(tenths % 10) \(units[unit])"
            : "\(grouped(Int64(size.rounded()))) \(units[unit])"
    }
}
