internal import ArgumentParser
internal import CommandNames
internal import Foundation
internal import TokenLifecycle

extension Landfall {
    /// As ArgumentParser's own, but for errors: they quote names that outsiders chose, so they go to stderr by way of ``note(_:)``.
    static func main() async {
        let allowsCoreDumps = ProcessInfo.processInfo.environment[CoreDumps.environmentVariable] == "true"
        if !allowsCoreDumps { CoreDumps.switchOff() }
        UnknownCommand.refuse(in: Array(CommandLine.arguments.dropFirst()), of: Self.self)
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            // Help, for example.
            guard !code.isSuccess else { exit(withError: error) }
            let message = fullMessage(for: error)
            if !message.isEmpty { note(message) }
            exit(withError: code)
        }
    }
}
