internal import ArgumentParser
internal import Foundation

/// The passphrase of a backup. It is never an argument, because every user of the machine can read those.
struct PassphraseOptions: ParsableArguments {
    static let environmentVariable = "LANDFALL_BACKUP_PASSPHRASE"
    private static let shortest = 8

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the passphrase. Default: LANDFALL_BACKUP_PASSPHRASE, otherwise a prompt.",
            valueName: "file"))
    var passphraseFile: String?

    /// - Parameter isNew: requires a minimum length, and prompts twice.
    func read(isNew: Bool) throws -> String {
        let passphrase = try given() ?? prompted(isNew: isNew)
        guard !isNew || passphrase.count >= Self.shortest else {
            throw PassphraseProblem.tooShort(least: Self.shortest)
        }
        return passphrase
    }

    private func given() throws -> String? {
        if let passphraseFile {
            guard let text = try? String(contentsOfFile: passphraseFile, encoding: .utf8),
                let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first,
                !line.isEmpty
            else { throw PassphraseProblem.unreadable(passphraseFile) }
            return String(line)
        }
        let text = ProcessInfo.processInfo.environment[Self.environmentVariable] ?? ""
        return text.isEmpty ? nil : text
    }

    private func prompted(isNew: Bool) throws -> String {
        guard isatty(STDIN_FILENO) == 1, let first = ask("Passphrase: ") else { throw PassphraseProblem.none }
        guard !isNew || ask("Again: ") == first else { throw PassphraseProblem.different }
        return first
    }

    private func ask(_ prompt: String) -> String? { getpass(prompt).map { String(cString: $0) } }
}

enum PassphraseProblem: Error, Equatable, CustomStringConvertible {
    case none
    case different
    case unreadable(String)
    case tooShort(least: Int)

    var description: String {
        switch self {
        case .none:
            "a backup is sealed with a passphrase, and there is none: use --passphrase-file FILE or set "
                + PassphraseOptions.environmentVariable
        case .different: "the passphrases do not match: nothing was written"
        case .unreadable(let path): "\(path) has no passphrase in its first line, or cannot be read"
        case .tooShort(let least): "the passphrase is shorter than \(least) characters: choose a longer one"
        }
    }
}
