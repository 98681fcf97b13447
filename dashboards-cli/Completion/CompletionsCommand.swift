internal import ArgumentParser
internal import Foundation

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Install completion for bash, zsh or fish.",
        subcommands: [CompletionsInstallCommand.self])
}

struct CompletionsInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install completion for this user.",
        discussion: """
            Completes commands, options, apps, dimensions, campaigns and other names. Names are read from the \
            database if it is running, or asked of the server of the profile. Debian's package has installed \
            completion already.

              landfall completions install
              landfall completions install zsh
            """)

    @Argument(
        help: .value("bash, zsh or fish. Default: the shell that SHELL names.", "shell"),
        completion: .list(CompletionShell.allCases.map(\.rawValue)))
    var shell: String?

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let name = shell ?? URL(fileURLWithPath: environment["SHELL"] ?? "").lastPathComponent
        guard let shell = CompletionShell(rawValue: name) else {
            let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandProblem(
                (name.isEmpty ? "SHELL is not set" : "there is no completion for '\(name)'")
                    + ": name one of \(shells)")
        }
        let place = CompletionPlace(of: shell, environment: environment)
        do {
            try FileManager.default.createDirectory(
                at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(Landfall.completionScript(for: shell).utf8).write(to: place.file, options: .atomic)
        } catch {
            throw CommandProblem("\(place.file.path) cannot be written: \(error.localizedDescription)")
        }
        note("\(place.file.path) is written. \(place.activation)")
    }
}

/// Where a shell looks for the completion of a command, for one user.
struct CompletionPlace: Equatable {
    let file: URL
    /// What to do for the shell to find it.
    let activation: String

    init(of shell: CompletionShell, environment: [String: String]) {
        let home = environment["HOME"] ?? NSHomeDirectory()
        func folder(_ variable: String, _ standard: String) -> String {
            let named = environment[variable] ?? ""
            return named.hasPrefix("/") ? named : "\(home)/\(standard)"
        }
        let data = folder("XDG_DATA_HOME", ".local/share")
        switch shell {
        case .zsh:
            file = URL(fileURLWithPath: "\(data)/zsh/site-functions/_landfall")
            activation =
                "Put this line into ~/.zshrc, before any other that contains compinit: "
                + "fpath=(\(data)/zsh/site-functions $fpath); autoload -U compinit; compinit"
        case .fish:
            let configuration = folder("XDG_CONFIG_HOME", ".config")
            file = URL(fileURLWithPath: "\(configuration)/fish/completions/landfall.fish")
            activation = "fish reads it from the next command on."
        default:
            file = URL(fileURLWithPath: "\(data)/bash-completion/completions/landfall")
            activation = "bash reads it in the next shell, if the package bash-completion is installed."
        }
    }
}
