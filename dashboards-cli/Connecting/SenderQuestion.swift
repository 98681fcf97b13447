internal import ArgumentParser
internal import Basics
internal import Connecting
internal import Foundation
internal import Rendering

/// Asks a person which sender to connect.
enum SenderQuestion {
    /// - Throws: `ValidationError` without a terminal, or if the answer names no sender.
    static func ask() throws -> ConnectableSender {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            note("Error: Name the sender, one of \(names): landfall connect gorush.")
            throw ExitCode.validationFailure
        }
        try Stdout.write(lines: list)
        try Stdout.write("Which sender? ")
        let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
        guard let sender = chosen(answer) else {
            note("Error: \(unknown(answer))")
            throw ExitCode.validationFailure
        }
        return sender
    }

    /// A number of the list, or a name.
    static func chosen(_ answer: String) -> ConnectableSender? {
        if let number = Int(answer), ConnectableSender.all.indices.contains(number - 1) {
            return ConnectableSender.all[number - 1]
        }
        return ConnectableSender.named(answer)
    }

    static func unknown(_ typed: String) -> String {
        let all = ConnectableSender.all.map(\.name)
        let closest = closestName(to: typed.lowercased(), among: all).map { " (did you mean '\($0)'?)" } ?? ""
        return "There is no sender '\(typed)'\(closest). Use one of \(names); curl is for any other."
    }

    private static var names: String { ConnectableSender.all.map(\.name).joined(separator: ", ") }

    private static var list: [String] {
        ConnectableSender.all.enumerated().map { index, sender in
            padded("\(index + 1)", to: 4) + padded(sender.name, to: 22) + sender.title
        } + [""]
    }
}
