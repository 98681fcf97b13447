internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Maintenance
internal import PostgresClient

/// `landfall maintain`: prints a `MaintenanceReport`.
struct MaintainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Makes and drops partitions, keeps quarantines small, folds old counters.",
        discussion: """
            Servers do this by themselves every hour; this is for doing it now, or from cron where no server may. Notifications \
            sent before the retention are dropped, by whole UTC days; their counters stay. Every step can be repeated, and \
            none holds up readers or writers. Exit code 4 when another program maintains this database right now.

              landfall maintain
              landfall maintain --retention-days 90
            """)

    @Option(
        help: ArgumentHelp(
            "How long notifications are kept. Default: what the servers of the database keep, else 400.",
            valueName: "days"))
    var retentionDays: Int64?

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        guard (1...36_500).contains(retentionDays ?? 1) else {
            throw ValidationError("--retention-days is a number of days from 1 to 36500.")
        }
    }

    func run() async throws {
        let command = self
        try await StopSignals.cancelling { try command.maintain() }
    }

    private func maintain() throws {
        do {
            let report = try database.withConnection { connection in
                try Maintenance(MaintenanceSettings(retention: try retention(on: connection)))
                    .run(now: .now, on: connection, isStopped: { Task.isCancelled })
            }
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
        } catch MaintenanceError.someoneElseMaintains {
            note("Another program maintains this database right now, so this one did nothing.")
            throw ExitCode.someoneElseIsRunning
        }
    }

    /// Days that a server promises to keep are not dropped behind its back.
    private func retention(on connection: PostgresConnection) throws -> Span {
        let kept = try RetentionSetting.read(on: connection)
        guard let retentionDays else { return kept ?? .standardRetention }
        if let kept, .days(retentionDays) < kept {
            let days = kept.milliseconds / Span.days(1).milliseconds
            note(
                """
                The servers of this database keep \(days) days. Set LANDFALL_RETENTION_DAYS=\(retentionDays) there and restart \
                them first; nothing was done.
                """)
            throw ExitCode.refusedForSafety
        }
        return .days(retentionDays)
    }
}
