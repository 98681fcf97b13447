internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import TokenLifecycle
internal import Vault

struct TokenImportCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import device tokens from an existing table.",
        discussion: """
            Reads CSV with a header row (comma, semicolon, tab or vertical bar) or one JSON object per line, and \
            prints a plan; nothing is changed without --apply. Columns: value, and registered_at (or \
            --registered-at); optionally kind, provider, environment, topic, p256dh and auth (the keys of a Web \
            Push subscription), device_id, account, platform, app_version, os_version, language, permission, \
            tags (in CSV, separated by semicolons). Without device_id, a token belongs to no installation, and \
            the columns that describe one are not kept.

            What apps and providers said since registered_at takes precedence over the file, so the command \
            can be stopped at any time and the same file imported again. It exits with 4 if another import \
            into the app is running, and with 1 if no line can be read.

              landfall tokens import tokens.csv --app shop --topic com.example.shop
              landfall tokens import tokens.csv --app shop --topic com.example.shop --apply --verdicts verdicts.csv
              psql -c '\\copy (SELECT token AS value, created_at AS registered_at FROM tokens) TO STDOUT CSV HEADER' |
                landfall tokens import - --app shop --topic com.example.shop
            """)

    @Argument(help: "The file (unpacked if its name ends in .gz), or - for standard input.") var file: String
    @OptionGroup var app: AppOptions

    @Option(
        help: .value("The kind for rows without one: alert, voip, fcm, web_push, …", "kind"),
        transform: readKind)
    var kind: TokenKind?

    @Option(
        help: .value("The environment for rows without one: production or sandbox.", "environment"),
        transform: { try word($0, of: "environment") })
    var environment: DeliveryModel.Environment = .production

    @Option(help: .value("The topic for rows without one: the app's bundle id.", "topic")) var topic: String?

    @Option(
        help: .when(
            "The registration time for rows without one: 2026-03-01 (UTC), an RFC 3339 instant, 90d."))
    var registeredAt: String?

    @Flag(help: "Apply the plan, in transactions of 1,000 lines.") var apply = false

    @Option(
        help: .value(
            "Write the outcome of each line to this file: CSV, or JSON lines for .ndjson and .jsonl.",
            "file"))
    var verdicts: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { _ = try defaults(now: .now) }

    func work() throws {
        let now = Instant.now
        let file = try ImportFile(file)
        let reader = try TokenImportReader(defaults: try defaults(now: now), now: now, read: file.read)
        let verdictFile = try verdicts.map(VerdictFile.init)
        try app.database.withDatabase { front in
            let (chosen, database, connection) = try app.database.find(app.app, in: front)
            let vault = try TokenVault.ofServer(
                connection, app.database.settings(), makesKey: database.isPrivate)
            if apply {
                try Audit.recordCommand("tokens_imported", app: chosen, subject: self.file, on: connection)
            }
            let tokens = TokenImport(appID: chosen.appID, vault: vault, on: connection)
            let progressLine = ProgressLine()
            let show: (ImportProgress) -> Void = { progressLine.show(line($0, file)) }
            let counts =
                try apply
                ? tokens.apply(
                    reader, now: now, isStopped: { Task.isCancelled }, progress: show,
                    verdict: { try verdictFile?.write($0) })
                : tokens.plan(
                    reader, isStopped: { Task.isCancelled }, progress: show,
                    verdict: { try verdictFile?.write($0) })
            progressLine.clear()
            try verdictFile?.flush()
            let report = ImportReport(app: chosen.slug, counts: counts, isApplied: apply, asOf: now)
            try output.write(report)
            if counts.isInvalid { throw ExitCode.failure }
        }
    }

    private func line(_ progress: ImportProgress, _ file: ImportFile) -> String {
        switch progress {
        case .reading(let lines):
            let share = file.size.map { "  \(percent(Double(file.readBytes) / Double(max($0, 1)))) %" } ?? ""
            return "reading  \(grouped(lines)) lines\(share)"
        case .deciding(let line, let lines):
            let share = percent(Double(line) / Double(max(lines, 1)))
            return "\(apply ? "importing" : "planning")  \(grouped(Int64(line))) lines  \(share) %"
        }
    }

    private func defaults(now: Instant) throws -> ImportDefaults {
        var defaults = ImportDefaults()
        defaults.kind = kind
        defaults.environment = environment
        defaults.topic = topic ?? ""
        defaults.registeredAt = try instant(registeredAt, option: "--registered-at", now: now)
        if let registeredAt = defaults.registeredAt, registeredAt > now {
            throw ValidationError(
                "--registered-at must not be in the future: it is when the tokens were registered.")
        }
        return defaults
    }

    private static func readKind(_ text: String) throws -> TokenKind {
        guard let kind = TokenKind(named: text) else {
            throw ValidationError("There is no kind '\(text)'. The kinds are \(TokenKind.list).")
        }
        return kind
    }
}
