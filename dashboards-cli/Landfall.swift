internal import ArgumentParser
internal import ChildPrograms
internal import CommandNames
internal import DeliveryModel
internal import Foundation
internal import Mirror
internal import PostgresClient
internal import Vault

/// Push delivery analytics on the command line. Results go to stdout, notes to stderr.
struct Landfall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall", abstract: "Report which push notifications landed.",
        discussion: """
            Uses the database of --database, LANDFALL_DATABASE_URL or the server. Exit codes: 1 failure, \
            3 rejected for safety, 4 already running, 64 invalid usage.
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
                    SketchCommand.self, EraseCommand.self, ArchiveCommand.self, BackupCommand.self,
                    BackupRestoreCommand.self, AnnotateCommand.self, MirrorCommand.self,
                ]),
            CommandGroup(
                name: "Access and demonstration",
                subcommands: [
                    AppCommand.self, CellCommand.self, KeyCommand.self, PersonCommand.self, SignCommand.self,
                    ConnectCommand.self, PostCommand.self, KitCommand.self, ConfigCommand.self,
                    CompletionsCommand.self, DemoCommand.self, SimulateCommand.self,
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

    /// The code of an error, which is written to stderr.
    init(noting error: any Error) {
        if let taken = error as? LockTaken {
            note("Nothing was done: \(taken.description).")
            self = .someoneElseIsRunning
        } else if let error = error as? MirrorError {
            note("Error: \(error.description)")
            self = error.exitCode
        } else {
            let message = Landfall.fullMessage(for: error)
            if !message.isEmpty { note(message) }
            self = Landfall.exitCode(for: error)
        }
    }
}

/// A command whose work Ctrl-C, a closed terminal and SIGTERM cancel.
protocol StoppableCommand: AsyncParsableCommand, Sendable {
    func work() async throws
}

extension StoppableCommand {
    func run() async throws { try await StopSignals.cancelling { try await self.work() } }
}

public enum LandfallProgram {
    /// Runs the command of the command line. It differs from ArgumentParser's `main` in that errors go to
    /// stderr through ``note(_:)``, because they quote names that outsiders chose.
    public static func main() async {
        let allowsCoreDumps = ProcessInfo.processInfo.environment[CoreDumps.environmentVariable] == "true"
        if !allowsCoreDumps { CoreDumps.switchOff() }
        UnknownCommand.refuse(in: Array(CommandLine.arguments.dropFirst()), of: Landfall.self)
        do {
            var command = try await Landfall.asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // Help, for example, goes to stdout.
            guard !Landfall.exitCode(for: error).isSuccess else { Landfall.exit(withError: error) }
            Landfall.exit(withError: ExitCode(noting: error))
        }
    }
}
