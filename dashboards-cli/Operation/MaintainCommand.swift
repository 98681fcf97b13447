internal import ArgumentParser
internal import DeliveryModel
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

struct MaintainCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain", abstract: "Create and drop partitions, and fold old counters.",
        discussion: """
            Servers do this by themselves every hour. Run this command to do it now, or from cron if no \
            server may. Notifications older than the retention are dropped, by whole UTC days; their \
            counters stay. Every step can be repeated, and none blocks readers or writers. Exits with 4 if \
            another program is maintaining this database.

            Days that ended --pack-after days ago or earlier are packed, up to three in a run: they then \
            take half the room, and late events still count.

            The earlier of PostgreSQL's clock and the newest notification decides what is old. If more than \
            7 days are due at once, or only a shorter retention than the stored one would drop them, days \
            are kept and landfall doctor reports it. --shorten-retention prints what would be dropped, and \
            drops it with --apply. Dropped notifications cannot be brought back.

              landfall maintain
              landfall maintain --shorten-retention --retention-days 90             (prints a plan, changes nothing)
              landfall maintain --shorten-retention --retention-days 90 --apply
            """)

    @Option(
        help: .value(
            "How long notifications are kept. Default: the retention that the servers of the database have stored, otherwise 400. With --shorten-retention: the longest that servers running now were started with.",
            "days"))
    var retentionDays: Int64?

    @Flag(
        help:
            "Print the days that a shorter retention would drop, or that are held back; with --apply, drop them."
    )
    var shortenRetention = false

    @Flag(help: "With --shorten-retention: store the retention and drop what is older than it.")
    var apply = false

    @Option(help: .value("The age from which days are packed; 0 packs none.", "days"))
    var packAfter: Int64 = 14

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try checkRange("--retention-days", retentionDays ?? 1, in: 1...36_500)
        try checkRange("--pack-after", packAfter, in: 0...3_650)
        guard shortenRetention || !apply else {
            throw ValidationError(
                "--apply requires --shorten-retention; 'landfall maintain' alone needs no --apply.")
        }
    }

    func work() throws {
        try database.withEachCell(output) { database, results in
            let connection = try database.connect()
            if shortenRetention, !apply { return try results.write(plan(on: connection)) }
            var settings = try settings(on: connection)
            settings.packedAfter = packAfter == 0 ? nil : .days(packAfter)
            try results.write(
                Maintenance(settings).run(on: connection, isStopped: { Task.isCancelled }))
        }
    }

    private func plan(on connection: PostgresConnection) throws -> RetentionPlan {
        try RetentionPlan(to: retentionDays.map(Span.days), on: connection)
    }

    private func settings(on connection: PostgresConnection) throws -> MaintenanceSettings {
        guard shortenRetention else {
            return MaintenanceSettings(retention: try retention(on: connection))
        }
        let wanted = try plan(on: connection).wanted
        try Audit.recordCommand("retention_shortened", subject: "\(wanted.wholeDays) days", on: connection)
        var settings = MaintenanceSettings(retention: wanted)
        settings.shortensRetention = true
        return settings
    }

    /// The retention to apply. A retention below the stored one, which a server promises to keep, is refused.
    private func retention(on connection: PostgresConnection) throws -> Span {
        let kept = try RetentionSetting.read(on: connection)
        guard let retentionDays else { return kept ?? .standardRetention }
        if let kept, .days(retentionDays) < kept {
            note(
                """
                The stored retention of this database is \(kept.wholeDays) \
                days, so nothing was done. Set LANDFALL_RETENTION_DAYS=\(retentionDays) for its servers and \
                restart them; then 'landfall maintain --shorten-retention --retention-days \(retentionDays)' \
                shows what would be dropped.
                """)
            throw ExitCode.refusedForSafety
        }
        return .days(retentionDays)
    }
}

extension MaintenanceReport: CommandResult {
    /// `{"report":"maintenance",…}`: days in UTC, counts of rows.
    var document: JSONValue {
        [
            "report": "maintenance", "days_made": .integer(daysMade),
            "days_dropped": .array(daysDropped.map { .string($0.utcDate) }),
            "days_postponed": .array(daysPostponed.map { .string($0.utcDate) }),
            "days_held": .integer(held?.dayCount ?? 0),
            "held_reasons": .array((held?.reasons ?? []).map { .string($0.rawValue) }),
            "notification_dates_removed": .integer(datesRemoved),
            "message_recipients_removed": .integer(recipientsRemoved),
            "messages_claimed": .integer(messagesClaimed), "items_evicted": .integer(itemsEvicted),
            "folded": .object(folded.map { .init($0.table, .integer($0.rows)) }),
            "sketched_days": .integer(sketched.days), "sketches_built": .integer(sketched.sketches),
            "sketches_removed": .integer(sketchesRemoved),
            "days_packed": .array(daysPacked.map { .string($0.utcDate) }),
            "days_to_pack": .integer(daysToPack), "was_stopped": .bool(wasStopped),
        ]
    }

    var csv: CSVText { Listing<Count>(.text("step") { $0.name }, .count("count") { $0.count }).csv(counts) }

    func lines(_ style: OutputStyle) -> [String] {
        let remarks = counts.map { Remark($0.name, $0.count, $0.meaning) }
        let end = wasStopped ? "Stopped between two steps; the next run continues." : "Done."
        return [style.paint("Maintenance", .title), ""]
            + Remark.lines(remarks, style, nameWidth: remarks.map { displayWidth($0.name) }.max() ?? 0)
            + ["", end]
    }

    private typealias Count = (name: String, count: Int64, meaning: String)

    private var counts: [Count] {
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
            ("sketches built", sketched.sketches, "of reach, of \(grouped(sketched.days)) days"),
            (
                "days packed", Int64(daysPacked.count),
                Self.span(daysPacked) + "\(grouped(daysToPack)) more to pack"
            ),
        ]
    }

    private static func span(_ days: [Instant]) -> String {
        guard let first = days.first, let last = days.last else { return "" }
        return first == last ? "\(first.utcDate), " : "\(first.utcDate) to \(last.utcDate), "
    }
}

extension RetentionPlan: OperationReport {
    /// `{"report":"retention_plan",…}`: days in UTC, counts of days and notifications, instants in UTC.
    var document: JSONValue {
        [
            "report": "retention_plan", "stored_days": .optional(stored?.wholeDays),
            "wanted_days": .integer(wanted.wholeDays), "as_of": .string(clock.rfc3339),
            "newest_day": .optional(newestDay?.utcDate), "days": .integer(Int64(days.count)),
            "first_day": .optional(days.first?.utcDate), "last_day": .optional(days.last?.utcDate),
            "notifications": .integer(notifications),
        ]
    }

    var csv: CSVText {
        Listing<Instant>(
            .text("day") { $0.utcDate }, .number("stored_days") { _ in stored?.wholeDays },
            .number("wanted_days") { _ in wanted.wholeDays }, .constant("as_of", clock.rfc3339)
        ).csv(days)
    }

    var title: String { "Retention" }

    /// This machine's clock is shown if it disagrees with PostgreSQL's.
    var facts: [(String, String)] {
        let now = Instant.now
        var facts = [
            ("now", stored.map { "kept \(grouped($0.wholeDays)) days" } ?? "no retention is stored"),
            ("then", "kept \(grouped(wanted.wholeDays)) days"),
            ("clock", "\(clock.utcMinuteWithOffset), by PostgreSQL's clock, which decides"),
        ]
        if abs((now - clock).milliseconds) > Span.minutes(1).milliseconds {
            let here = "\(now.utcMinuteWithOffset), by this machine's clock: one of the two is wrong"
            facts.append(("", here))
        }
        return facts + [("newest", newestDay.map { "notifications of \($0.utcDate)" } ?? "no notification")]
    }

    func figures(_ style: OutputStyle) -> [String] {
        let remarks = [
            Remark("days", Int64(days.count), span), Remark("notifications", notifications, "of these days"),
        ]
        return ["  would be dropped:"] + Remark.lines(remarks, style, nameWidth: 13)
    }

    var verdict: String {
        days.isEmpty && wanted == stored
            ? "Nothing to do."
            : "This is a plan: nothing was changed. --apply carries it out: counters stay, but the notifications cannot be brought back."
    }

    private var span: String {
        guard let first = days.first, let last = days.last else { return "no day is older than that" }
        return first == last ? first.utcDate : "\(first.utcDate) to \(last.utcDate)"
    }
}

extension Span {
    fileprivate var wholeDays: Int64 { milliseconds / Span.days(1).milliseconds }
}
