internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Vault

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain a token, device, notification or metric.",
        discussion: """
            Everything is listed in time order, with the evidence verbatim and the rule in plain words. \
            Nothing is changed. The value of a token is never printed; the first 12 digits of its \
            fingerprint identify it.
            """,
        subcommands: [
            ExplainTokenCommand.self, ExplainDeviceCommand.self, ExplainNotificationCommand.self,
            ExplainMetricCommand.self,
        ])
}

struct ExplainDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract:
            "Show the traits of a device, its accounts, its tokens and their history, and its last notifications.",
        discussion: """
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --app shop
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --tz Europe/Berlin --since 60d --json
            """)

    @Argument(
        help: .value("The UUID under which the app registers the device.", "device-id"),
        transform: { try uuid($0, of: "device") })
    var deviceID: UUID

    @OptionGroup var options: StoryOptions

    func run() throws {
        try options.tell(
            { try DeviceStory.read(deviceID: deviceID, $0, on: $1) }, document: \.document,
            text: { $0.lines($1) })
    }
}

struct ExplainNotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract:
            "Show the response to a notification, its device events, what it counts as, and its effect on its token.",
        discussion: """
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --app shop
              landfall explain notification order-4711 --tz Europe/Berlin --json
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --device 0b9c1d5e-6d0a-4f6b-9d43-0a8f7c1d2e3f
            """)

    @Argument(
        help: .value("The id that the sender chose and put into the payload.", "notification-id"),
        transform: chosenID)
    var id: ChosenID

    @Option(
        help: .value("The device, if the id is a message_id (one payload for many devices).", "device-id"),
        transform: { try uuid($0, of: "device") })
    var device: UUID?

    @OptionGroup var options: StoryOptions

    func validate() throws {
        guard options.sender.isEmpty else {
            throw ValidationError("--sender is for tokens and devices, whose pushes are listed. Omit it.")
        }
    }

    func run() throws {
        try options.tell(
            { try NotificationStory.read(notificationID: explained(in: $0.app), $0, on: $1) },
            document: \.document, text: { $0.lines($1) })
    }

    private func explained(in app: App) -> UUID {
        let id = id.uuid(inApp: app.appID)
        return device.map { .notification(ofMessage: id, toDevice: $0) } ?? id
    }
}

struct StoryOptions: ParsableArguments {
    @OptionGroup(title: "Database") var app: AppOptions
    @OptionGroup var timeZone: TimeZoneOption

    @Option(
        help: .when(
            "Search for pushes sent since: 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 60d, 24h, today. Searching far back in a large database takes time."
        ))
    var since = "14d"

    @Option(
        help: .value("Show at most this many ledger rows, and this many pushes, the newest ones.", "count"))
    var limit: Int64 = 30

    @Option(
        help: .value("List only pushes of this sender. May be repeated; '' selects none or unknown.", "name"))
    var sender: [String] = []

    @Flag(help: "Print one JSON document.") var json = false
    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.") var ascii = false

    /// Checks the options before any database is opened.
    func validate() throws { _ = try scope(App(appID: 0, slug: ""), now: .now) }

    private func scope(_ app: App, now: Instant) throws -> StoryScope {
        let clock = StoryClock(timeZone: try timeZone.zone, now: now)
        guard let pushesSince = WindowBound.instant(since, in: clock.timeZone, now: now) else {
            throw ValidationError(
                "--since is not valid: use 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 60d, 24h or today."
            )
        }
        try checkRange("--limit", limit, in: 1...10_000)
        return StoryScope(app: app, clock: clock, pushesSince: pushesSince, limit: limit, senders: sender)
    }

    func tell<Story>(
        _ read: (StoryScope, PostgresConnection) throws -> Story, document: (Story) -> JSONValue,
        text: (Story, OutputStyle) -> [String]
    ) throws {
        let now = Instant.now
        let story = try app.withApp { app, connection in try read(try scope(app, now: now), connection) }
        if json {
            try Stdout.write(documents: [document(story).indentedText])
        } else {
            try Stdout.write(lines: text(story, .stdout(asksForASCII: ascii)))
        }
    }
}

struct ExplainTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract:
            "Show what a token is, why it is in its state, what would make it active again, and its last pushes.",
        discussion: """
            Specify the token by its value, by the first digits (8 or more) of its fingerprint, or by its \
            number, such as '#12', in quotes because the shell takes # for a comment. Finding a token by its \
            value requires the server's token key. With -, the value is read from stdin, so that it stays \
            out of the shell's history.

              landfall explain token 3fa9c1d2e4b5 --app shop
              landfall explain token '#12' --tz Europe/Berlin --json
              landfall explain token - < token.txt
            """)

    @Argument(help: .value("The value, fingerprint or #number, or - for stdin.", "token")) var token: String
    @OptionGroup var options: StoryOptions

    func validate() throws {
        guard token != "-" else { return }
        do {
            _ = try TokenName(token)
        } catch {
            throw ValidationError("\(sentence(error.description)) See landfall explain token --help.")
        }
    }

    func run() throws {
        let name = try token == "-" ? nameFromStdin() : TokenName(token)
        try options.tell(
            { scope, connection in
                try TokenStory.read(tokenID: try find(name, scope, on: connection), scope, on: connection)
            },
            document: \.document, text: { $0.lines($1) })
    }

    private func nameFromStdin() throws -> TokenName {
        do {
            return try TokenName(readLine() ?? "")
        } catch {
            note("Error: \(sentence(error.description))")
            throw ExitCode.validationFailure
        }
    }

    private func find(_ name: TokenName, _ scope: StoryScope, on connection: PostgresConnection) throws
        -> Int64
    {
        let search = TokenSearch(app: scope.app, connection: connection) { try vault(connection) }
        switch try search.find(name) {
        case .one(let tokenID): return tokenID
        case .several(let tokenIDs):
            note("Error: Several tokens match. Specify one by its number:")
            for token in try TokenProfile.read(tokenIDs, scope, on: connection) {
                note(
                    "  '#\(token.tokenID)'  \(token.shortFingerprint)  \(token.state), \(printable(token.address))"
                )
            }
            throw ExitCode.validationFailure
        }
    }

    /// `nil` if there is no key.
    private func vault(_ connection: PostgresConnection) throws -> TokenVault? {
        do {
            return try TokenVault.ofServer(connection, options.app.database.settings())
        } catch let problem as CommandProblem where problem == .noTokenKey {
            return nil
        }
    }
}
