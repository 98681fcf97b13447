internal import ArgumentParser
internal import Instants
internal import Maintenance
internal import People
internal import PostgresClient

/// `landfall maintain`: prints a `MaintenanceReport`.
struct MaintainCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Create and drop partitions, and fold old counters.",
        discussion: """
            Servers do this by themselves every hour. Run this command to do it now, or from cron if no \
            server may. Notifications older than the retention are dropped, by whole UTC days; their \
            counters stay. Every step can be repeated, and none blocks readers or writers. Exits with 4 if \
            another program is maintaining this database.

            The earlier of PostgreSQL's clock and the newest notification decides what is old. If more than \
            7 days are due at once, or only a shorter retention than the stored one would drop them, days \
            are kept and landfall doctor reports it. --shorten-retention prints what would be dropped, and \
            drops it with --apply. Dropped notifications cannot be brought back.

              landfall maintain
              landfall maintain --shorten-retention --retention-days 90             (prints a plan, changes nothing)
              landfall maintain --shorten-retention --retention-days 90 --apply
            """)

    @Option(
        help: ArgumentHelp(
            "How long notifications are kept. Default: the retention that the servers of the database have stored, otherwise 400. With --shorten-retention: the longest that servers running now were started with.",
            valueName: "days"))
    var retentionDays: Int64?

    @Flag(
        help:
            "Print the days that a shorter retention would drop, or that are held back; with --apply, drop them."
    )
    var shortenRetention = false

    @Flag(help: "With --shorten-retention: store the retention and drop what is older than it.")
    var apply = false

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        guard (1...36_500).contains(retentionDays ?? 1) else {
            throw ValidationError("--retention-days must be between 1 and 36500.")
        }
        guard shortenRetention || !apply else {
            throw ValidationError(
                "--apply requires --shorten-retention; 'landfall maintain' alone needs no --apply.")
        }
    }

    func work() throws {
        if shortenRetention, !apply { try showPlan() } else { try maintain() }
    }

    private func showPlan() throws {
        let plan = try database.withConnection { connection in
            try RetentionPlan(to: retentionDays.map(Span.days), on: connection)
        }
        try output.write(
            json: plan.document, csv: plan.csv, table: { plan.lines($0, localClock: .now) })
    }

    private func maintain() throws {
        let report = try database.withConnection { connection in
            try Maintenance(try settings(on: connection))
                .run(on: connection, isStopped: { Task.isCancelled })
        }
        try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
    }

    private func settings(on connection: PostgresConnection) throws -> MaintenanceSettings {
        guard !shortenRetention else {
            let plan = try RetentionPlan(to: retentionDays.map(Span.days), on: connection)
            try Audit.recordCommand(
                "retention_shortened",
                subject: "\(plan.wanted.milliseconds / Span.days(1).milliseconds) days",
                on: connection)
            var settings = MaintenanceSettings(retention: plan.wanted)
            settings.shortensRetention = true
            return settings
        }
        return MaintenanceSettings(retention: try retention(on: connection))
    }

    /// The retention to apply. A retention below the stored one, which a server promises to keep, is refused.
    private func retention(on connection: PostgresConnection) throws -> Span {
        let kept = try RetentionSetting.read(on: connection)
        guard let retentionDays else { return kept ?? .standardRetention }
        if let kept, .days(retentionDays) < kept {
            note(
                """
                The stored retention of this database is \(kept.milliseconds / Span.days(1).milliseconds) \
                days, so nothing was done. Set LANDFALL_RETENTION_DAYS=\(retentionDays) for its servers and \
                restart them; then 'landfall maintain --shorten-retention --retention-days \(retentionDays)' \
                shows what would be dropped.
                """)
            throw ExitCode.refusedForSafety
        }
        return .days(retentionDays)
    }
}
