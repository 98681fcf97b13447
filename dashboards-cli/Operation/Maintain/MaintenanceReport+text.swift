internal import DeliveryModel
internal import Documents
internal import Instants
internal import Maintenance
internal import Rendering
internal import Reports
internal import Wording

extension MaintenanceReport {
    /// `{"report":"maintenance",…}`: days in UTC, counts of rows.
    var document: JSONValue {
        [
            "report": "maintenance",
            "days_made": .integer(daysMade),
            "days_dropped": .array(daysDropped.map { .string($0.utcDate) }),
            "days_postponed": .array(daysPostponed.map { .string($0.utcDate) }),
            "days_held": .integer(held?.dayCount ?? 0),
            "held_reasons": .array((held?.reasons ?? []).map { .string($0.rawValue) }),
            "notification_dates_removed": .integer(datesRemoved),
            "message_recipients_removed": .integer(recipientsRemoved),
            "messages_claimed": .integer(messagesClaimed),
            "items_evicted": .integer(itemsEvicted),
            "folded": .object(folded.map { .init($0.table, .integer($0.rows)) }),
            "sketched_days": .integer(sketched.days),
            "sketches_built": .integer(sketched.sketches),
            "sketches_removed": .integer(sketchesRemoved),
            "was_stopped": .bool(wasStopped),
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: ["step", "count"])
        for remark in counts { text.append([.text(remark.name), .integer(remark.count)]) }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let remarks = counts.map { Remark($0.name, $0.count, $0.meaning) }
        let end = wasStopped ? "Stopped between two steps; the next run continues." : "Done."
        return [style.paint("Maintenance", .title), ""]
            + Remark.lines(remarks, style, nameWidth: remarks.map { displayWidth($0.name) }.max() ?? 0)
            + ["", end]
    }

    private var counts: [(name: String, count: Int64, meaning: String)] {
        [
            ("days made", daysMade, "partitions created in advance"),
            ("days dropped", Int64(daysDropped.count), Self.span(daysDropped) + "older than the retention"),
            (
                "days postponed", Int64(daysPostponed.count),
                Self.span(daysPostponed) + "in use now; run the same command again"
            ),
            (
                "days held", held?.dayCount ?? 0,
                "kept although older than the retention; see --shorten-retention"
            ),
            ("dates removed", datesRemoved, "notification dates older than the retention"),
            ("recipients removed", recipientsRemoved, "of messages older than the retention"),
            ("messages claimed", messagesClaimed, "responses posted before their token was registered"),
            ("items evicted", itemsEvicted, "quarantined beyond the limits, the oldest first"),
            ("sketches removed", sketchesRemoved, "of reach, older than the retention"),
        ] + folded.map { ($0.table, $0.rows, "rows of writers folded into one") } + [
            ("sketches built", sketched.sketches, "of reach, of \(grouped(sketched.days)) days")
        ]
    }

    private static func span(_ days: [Instant]) -> String {
        guard let first = days.first, let last = days.last else { return "" }
        return first == last ? "\(first.utcDate), " : "\(first.utcDate) to \(last.utcDate), "
    }
}
