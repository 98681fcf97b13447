internal import ArgumentParser
internal import Foundation
internal import Mirror

struct MirrorCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror", abstract: "Keep a sender's own table of device tokens in step.",
        discussion: """
            Reads all tokens of the key's app from a server once, and follows the changes from then on. The \
            table is created if it is missing. Rows are added, updated and removed with the position in the \
            feed, page by page in one transaction, so the command may be killed at any time: start it again. \
            A retired token keeps its row with the state retired, unless --delete is given; a token whose \
            value was erased loses its row. Rows of the table that are not of the app are left alone.

              export LANDFALL_KEY=lf_server_…   # once: landfall key create --app shop --kind server
              landfall mirror --to sqlite:tokens.db --server https://push.example.com
              landfall mirror --to postgres://push@db.internal/push \\
                --table push.tokens --column value=token
              landfall mirror --to sqlite:tokens.db --once

            If the server was restored from an older backup, or the table has rows of the app that no mirror \
            wrote, the command exits with 3 and changes nothing; --refill reads all tokens again. With 4, \
            another mirror keeps the table.
            """)

    @Option(
        help: .value(
            "The sender's database: postgres://user@host/database, or sqlite:FILE. Leave the password to ~/.pgpass or PGPASSWORD.",
            "database"))
    var to: String

    @Option(help: .value("The table, or the schema and the table.", "name")) var table = "device_tokens"

    @Option(
        help: .value("Keep this value in another column: value=token. May be repeated.", "name=column"))
    var column: [String] = []

    @Flag(help: "Remove the rows of retired tokens.") var delete = false
    @Flag(help: "End once the table is in step.") var once = false

    @Flag(help: "Read all tokens again, and remove rows of the app that are no longer among them.")
    var refill = false

    @Option(help: .value("The server to read from.", "url")) var server = "http://127.0.0.1:8080"

    @Option(
        help: .value("A server key. Default: the variable LANDFALL_KEY, which other users cannot see.", "key")
    )
    var key: String?

    func validate() throws {
        do {
            _ = try MirrorPlace(to)
            _ = try MirrorTable(table, columns: column)
            _ = try Profile.address(server)
        } catch {
            throw ValidationError(sentence("\(error)"))
        }
        guard !chosenKey.isEmpty else {
            throw ValidationError(
                "A server key is missing: set LANDFALL_KEY. landfall key create --kind server, run where the "
                    + "database is, prints one.")
        }
    }

    func work() async throws {
        var options = Mirror.Options()
        options.deletesRetired = delete
        options.isOnce = once
        options.refills = refill
        let client = FeedClient(server: try Profile.address(server), key: chosenKey) { request in
            try await SingleRequest.send(request)
        }
        let mirror = try Mirror(
            to: to, MirrorTable(table, columns: column), client: client, options: options, log: note)
        let summary = try await mirror.run()
        note("\(table) is in step: \(summary.tokens) tokens read, \(summary.changes) changes applied.")
    }

    private var chosenKey: String { key ?? ProcessInfo.processInfo.environment["LANDFALL_KEY"] ?? "" }
}

extension MirrorError {
    var exitCode: ExitCode {
        switch self {
        case .mistake: .validationFailure
        case .refused: .refusedForSafety
        case .taken: .someoneElseIsRunning
        case .failed: .failure
        }
    }
}
