internal import DeliveryModel
public import Documents

extension ExtensionReport {
    /// The shape of all reports. A row's key is platform, app_version and os_version; the row also
    /// has its `health`, `last_reported_at`, `kits`, and the runs that `expired` or whose `attachment_failed` (null if the
    /// notifications are no longer kept).
    public var document: JSONValue {
        let zone = frame.query.timeZone
        let rows = rows.map { row in
            JSONValue.object(
                [.init("key", row.key.json)] + Self.members(row.counts) + [
                    .init("health", .string(row.health.rawValue)),
                    .init("last_reported_at", .optional(row.lastReportedAt.map(zone.rfc3339))),
                    .init("kits", .array(row.runs.kits.map { .string($0) })),
                    .init("expired", .optional(row.runs.expired)),
                    .init("attachment_failed", .optional(row.runs.attachmentsFailed)),
                ])
        }
        var members =
            frame.members + [
                .init("rows", .array(rows)), .init("totals", .object(Self.members(totals))),
            ]
        if let completeness { members.append(.init("completeness", completeness.json)) }
        return .object(members)
    }

    private static func members(_ counts: MeasureCounts) -> [JSONValue.Member] {
        [
            .init("counts", .object(CapableCounters.measures.map { counts.member($0) })),
            .init(
                "rates",
                .object([Rate.arrival, .receiptLoss].map { .init($0.id, $0.proportion(in: counts).json) })),
        ]
    }
}
