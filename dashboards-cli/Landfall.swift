internal import ArgumentParser
internal import DeliveryModel

/// Push delivery analytics on the command line. Results go to stdout, notes to stderr.
struct Landfall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall",
        abstract: "Report which push notifications landed.",
        discussion: """
            Uses the database named by --database, LANDFALL_DATABASE_URL or the server's configuration, \
            otherwise the one in LANDFALL_DATA (~/.landfall). Exit codes: 0 success, 1 failure, 3 rejected \
            for safety, 4 already running, 64 invalid usage.
            """,
        version: LandfallVersion.text(of: "landfall"),
        groupedSubcommands: [
            CommandGroup(
                name: "Reports",
                subcommands: [
                    TodayCommand.self, WatchCommand.self, FunnelCommand.self, ReachCommand.self,
                    ClicksCommand.self, LossCommand.self, RejectionsCommand.self, LatencyCommand.self,
                    ExtensionCommand.self, PermissionsCommand.self, TokensCommand.self, DoctorCommand.self,
                    ExplainCommand.self, OpenCommand.self,
                ]),
            CommandGroup(
                name: "Operation",
                subcommands: [
                    MigrateCommand.self, VerifyCommand.self, QuarantineCommand.self, MaintainCommand.self,
                    SketchCommand.self, EraseCommand.self, BackupCommand.self, BackupRestoreCommand.self,
                    AnnotateCommand.self,
                ]),
            CommandGroup(
                name: "Access and demonstration",
                subcommands: [
                    AppCommand.self, KeyCommand.self, PersonCommand.self, SignCommand.self, KitCommand.self,
                    ConfigCommand.self, CompletionsCommand.self, DemoCommand.self, SimulateCommand.self,
                ]),
        ],
        defaultSubcommand: TodayCommand.self
    )
}

extension ExitCode {
    /// The command would have done harm, so it did nothing.
    static let refusedForSafety = ExitCode(3)
    /// Another program is doing the same work.
    static let someoneElseIsRunning = ExitCode(4)
}
