internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Reports

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

/// The command line to which a shell wants to add a word. Whatever goes wrong, there is nothing to add: the
/// shell would print an error into the line.
struct CompletedLine: Sendable {
    private let words: [String]

    init(_ words: [String]) {
        self.words = words
        // A database that cannot be reached would hold up the shell.
        setenv("PGCONNECT_TIMEOUT", "2", 1)
    }

    func values(of dimension: Reports.Dimension) async -> [String] {
        guard let profile = value(of: "profile") ?? (database == nil ? ProfileOption.named() : nil) else {
            return read { front, connection in
                let app = try App.named(value(of: "app"), among: CellDirectory(front).apps())
                return try app.values(of: dimension, on: connection(app.cell))
            }
        }
        return
            (try? await RemoteServer(name: profile, profile: ProfileFile().profile(profile))
            .values(of: dimension)) ?? []
    }

    /// Reads from the database, unless it is private and not running: a shell must not wait for it to start.
    ///
    /// - Parameter body: receives a connection to cell 0, and a function that connects to another.
    func read(
        _ body: (PostgresConnection, (CellNumber) throws -> PostgresConnection) throws -> [String]
    ) -> [String] {
        do {
            let options = try DatabaseOptions.parse(database ?? [])
            guard try options.privateCondition() ?? .running == .running else { return [] }
            return try options.withDatabase { front in
                let directory = try front.unmigratedConnection()
                return try body(directory) {
                    try $0 == .front ? directory : options.home(of: $0, front).unmigratedConnection()
                }
            }
        } catch {
            return []
        }
    }

    /// The options that name a database; `nil` if there are none.
    private var database: [String]? {
        let options = ["database", "config"].flatMap { name in
            value(of: name).map { ["--\(name)", $0] } ?? []
        }
        return options.isEmpty ? nil : options
    }

    /// The value in `--name value` or `--name=value`.
    private func value(of name: String) -> String? {
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--\(name)=") { return String(word.dropFirst(name.count + 3)) }
            if word == "--\(name)", index + 1 < words.count { return words[index + 1] }
        }
        return nil
    }
}

extension RemoteServer {
    /// The values that had notifications in the last 90 days, the most frequent first.
    fileprivate func values(of dimension: Reports.Dimension) async throws -> [String] {
        struct Document: Decodable {
            struct Row: Decodable {
                let key: [String: String?]
            }
            let rows: [Row]
        }
        let report = try await report(
            "funnel", [("from", "90d"), ("by", dimension.rawValue), ("sort", "attempted"), ("limit", "200")])
        let document = try JSONDecoder().decode(Document.self, from: Data(report.text.utf8))
        return document.rows.compactMap { $0.key[dimension.rawValue] ?? nil }
    }
}

extension CompletionKind {
    static let apps = custom { words, _, _ in
        CompletedLine(words).read { front, _ in try CellDirectory(front).apps().map(\.slug) }
    }

    /// One dimension, or several with commas between them.
    static let dimensions = custom { (words: [String], _: Int, prefix: String) in
        let chosen = prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(
            String.init)
        return Reports.Dimension.names(of: words.dropFirst().first).filter { !chosen.contains($0) }
            .map { (chosen + [$0]).joined(separator: ",") }
    }

    /// The values of a dimension that the app has had: campaigns, topics, …
    static func values(of dimension: Reports.Dimension) -> CompletionKind {
        custom { (words: [String], _: Int, _: String) async -> [String] in
            await CompletedLine(words).values(of: dimension).filter { !$0.isEmpty }
        }
    }
}
