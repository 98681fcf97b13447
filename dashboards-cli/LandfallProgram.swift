internal import ArgumentParser
internal import CommandNames
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

/// The program `landfall`.
public enum LandfallProgram {
    /// Runs the command of the command line. It differs from ArgumentParser's `main` in that errors go to stderr through
    /// ``note(_:)``, because they quote names that outsiders chose.
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
        } catch let taken as LockTaken {
            note("Nothing was done: \(taken.description).")
            Landfall.exit(withError: ExitCode.someoneElseIsRunning)
        } catch {
            let code = Landfall.exitCode(for: error)
            // Help, for example, goes to stdout.
            guard !code.isSuccess else { Landfall.exit(withError: error) }
            let message = Landfall.fullMessage(for: error)
            if !message.isEmpty { note(message) }
            Landfall.exit(withError: code)
        }
    }
}
