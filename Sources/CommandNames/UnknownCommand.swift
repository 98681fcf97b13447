public import ArgumentParser
internal import Basics
internal import Foundation
internal import Reports

/// A word where the program expects a command, but no command has this name.
///
/// ArgumentParser accepts such a word as an argument of the default command. With `--help`, it
/// prints that command's help and exits 0, as if all were well.
public struct UnknownCommand: Hashable, Sendable, CustomStringConvertible {
    /// The commands before the word: `landfall tokens`.
    public let path: [String]
    public let word: String
    public let closest: String?

    /// `nil` if all commands exist. Words from the first option on are ignored: its value may be any word.
    public init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var path = [Self.name(of: root)]
        // `landfall help tokens sweep` names commands in the same way.
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        for word in words {
            let commands = command.configuration.subcommands
            guard !word.hasPrefix("-"), !commands.isEmpty else { return nil }
            let next = commands.first {
                Self.name(of: $0) == word || $0.configuration.aliases.contains(word)
            }
            guard let next else {
                self.path = path
                self.word = word
                closest = closestName(to: word, among: commands.map(Self.name))
                return
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? command._commandName
    }

    public var description: String {
        let hint = closest.map { " Did you mean '\($0)'?" } ?? ""
        return "'\(word.controlsEscaped)' is not a command of \(path.joined(separator: " ")).\(hint) "
            + "\(path.joined(separator: " ")) --help lists all commands."
    }

    /// Ends the program with exit code 64 if the arguments name a command that does not exist.
    public static func refuse(in arguments: [String], of root: any ParsableCommand.Type) {
        guard let unknown = UnknownCommand(in: arguments, of: root) else { return }
        FileHandle.standardError.write(Data("Error: \(unknown)\n".utf8))
        exit(64)
    }
}
