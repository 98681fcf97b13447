internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Maintenance

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
            "How long notifications are kept. Servers have the same setting, and refuse older events.",
            valueName: "days"))
    var retentionDays: Int64 = Span.standardRetention.milliseconds / Span.days(1).milliseconds

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        guard (1...36_500).contains(retentionDays) else {
            throw ValidationError("--retention-days is a number of days from 1 to 36500.")
        }
    }

    func run() async throws {
        let command = self
        try await StopSignals.cancelling { try command.maintain() }
    }

    private func maintain() throws {
        let maintenance = Maintenance(MaintenanceSettings(retention: .days(retentionDays)))
        do {
            let report = try database.withConnection { connection in
                try maintenance.run(now: .now, on: connection, isStopped: { Task.isCancelled })
            }
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
        } catch MaintenanceError.someoneElseMaintains {
            note("Another program maintains this database right now, so this one did nothing.")
            throw ExitCode.someoneElseIsRunning
        }
    }
}
