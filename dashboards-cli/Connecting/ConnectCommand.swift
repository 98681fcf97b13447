internal import ArgumentParser
internal import ChildPrograms
internal import Connecting
internal import DeliveryModel
internal import Foundation
internal import People
internal import PostgresClient

struct ConnectCommand: AsyncParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Connect a sender, and check what arrives from it.",
        discussion: """
            Prints the lines or the configuration to paste with key and address in them, and waits for \
            events. They are shown as Landfall understood them, with what is wrong and how to fix it. The \
            command ends once a response and a device event of one notification have met, or with what else \
            the sender can show. On a terminal, it asks for a sender that is not named.

            The key is the one in --key or, if it fits, in LANDFALL_KEY; otherwise a new one is created: a \
            hook key for senders that post by themselves, a server key for all others.

              landfall connect gorush --app shop
              landfall connect aioapns --app shop --server https://push.example.com --no-wait
            """)

    /// Without a terminal, no one would end a command that waits in vain.
    private static let usualTimeout = 600

    @Argument(
        help: .value("The sender, such as aioapns or gorush (docs/connect/README.md).", "sender"),
        completion: .list(ConnectableSender.all.map(\.name)), transform: Self.read)
    var sender: ConnectableSender?

    @Option(
        help: .value(
            "The address to which events are posted. Default: that of the server that was started last.",
            "url"))
    var server: String?

    @Option(help: .value("The key to use. Default: the variable LANDFALL_KEY.", "key")) var key: String?
    @Flag(name: .customLong("no-wait"), help: "Print what to paste, and do not wait.") var onlyPrints = false

    @Option(
        help: .value(
            "Give up after this time, 1 to 86400. Default: never on a terminal, otherwise 600.", "seconds"))
    var timeout: Int?

    @OptionGroup var options: AppOptions

    func validate() throws {
        try timeout.map { try checkRange("--timeout", $0, in: 1...86_400) }
        if let key, !["lf_server_", "lf_hook_"].contains(where: key.hasPrefix) {
            throw ValidationError(
                "--key must be a server key (lf_server_…), or a hook key (lf_hook_…) for senders with a hook."
            )
        }
        do {
            if let server { _ = try Profile.address(server) }
        } catch {
            throw ValidationError(sentence(error.description))
        }
    }

    func run() async throws {
        // While a person is asked, Ctrl-C ends the program, because nothing has been done yet.
        let chosen = try sender ?? SenderQuestion.ask()
        try await StopSignals.cancelling { try await connect(chosen) }
    }

    private func connect(_ sender: ConnectableSender) async throws {
        try await options.database.withDatabase { front in
            let (app, _, connection) = try options.database.find(options.app, in: front)
            let address = try server ?? ConsoleAddress.read(on: front.connect()) ?? "http://127.0.0.1:8080"
            let keys = try ConnectKeys.make(
                for: sender, of: app, given: key, known: ProcessInfo.processInfo.environment["LANDFALL_KEY"],
                on: connection)
            // Before anything can be posted with the key.
            let start = try ConnectStart(of: app, now: .now, on: connection)
            try ConnectText(app: app, address: Profile.address(address)).write(sender, keys)
            guard !onlyPrints else { return }
            try await wait(for: sender, from: start, on: connection)
        }
    }

    private func wait(
        for sender: ConnectableSender, from start: ConnectStart, on connection: PostgresConnection
    ) async throws {
        let isTerminal = isatty(STDIN_FILENO) == 1
        let limit = timeout ?? (isTerminal ? nil : Self.usualTimeout)
        note("Waiting for events of \(start.app.slug)\(limit.map { " for \($0) s" } ?? ": Ctrl-C ends").")
        var watch = ConnectWatch(start: start, end: sender.end)
        let progress = try await watch.run(
            until: limit.map { ContinuousClock.now + .seconds($0) }, on: connection)
        guard case .connected = progress.stage else { throw CommandProblem(progress.summary) }
    }

    private static func read(_ text: String) throws -> ConnectableSender {
        if let sender = ConnectableSender.named(text.lowercased()) { return sender }
        throw ValidationError(SenderQuestion.unknown(text))
    }
}
