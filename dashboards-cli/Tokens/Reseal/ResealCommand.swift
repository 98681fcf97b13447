internal import Access
internal import ArgumentParser
internal import Foundation
internal import Ingestion
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import TokenLifecycle

/// `landfall tokens reseal`: prints the plan; with `--apply`, carries it out.
struct ResealCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Move device tokens, quarantined items and signing keys to a new token key.",
        discussion: """
            Without --apply, the command prints a plan and changes nothing. Stop every server first: while a \
            server runs, the command exits with 4; while the command runs, no server starts. It can be \
            stopped at any time, and must then be run again with the same two keys. The key in use comes \
            from LANDFALL_TOKEN_KEY or the data folder, as for a server; the new key comes from \
            --new-key-file or LANDFALL_TOKEN_KEY_NEXT. A token.key in the data folder is replaced at the \
            end; the old one stays next to it as token.key.old.

              openssl rand -base64 32 > next.key
              landfall tokens reseal --new-key-file next.key
              landfall tokens reseal --new-key-file next.key --apply
            """)

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @Option(
        help: ArgumentHelp(
            "The file with the new key, 32 bytes in base64. Default: LANDFALL_TOKEN_KEY_NEXT.",
            valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Apply the plan, in batches.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func work() throws {
        let now = Instant.now
        let new = try newKey()
        let settings = try database.settings()
        let folder = settings.dataFolder
        guard let old = try TokenKey.find(dataFolder: folder, environment: settings.environment) else {
            throw CommandProblem.noTokenKey
        }
        try database.withConnection { connection in
            let reseal = Reseal(
                from: TokenVault(old), to: TokenVault(new),
                of: [SealedTokens(), SealedQuarantine(), SealedSigningKeys()],
                on: connection)
            var report = ResealReport(plan: try reseal.plan(), stage: try reseal.stage(), asOf: now)
            if apply {
                try Audit.recordCommand("tokens_resealed", on: connection)
                report.result = try carryOut(reseal, report)
                if report.result?.wasStopped == false {
                    report.hasReplacedFile = try new.replaceStored(in: folder)
                }
            }
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
        }
    }

    private func carryOut(_ reseal: Reseal, _ report: ResealReport) throws -> Reseal.Result {
        let progress = ProgressLine()
        defer { progress.clear() }
        let total = grouped(report.total)
        return try reseal.apply(isStopped: { Task.isCancelled }) {
            progress.show("resealing  \(grouped($0)) of \(total) rows")
        }
    }

    private func newKey() throws -> TokenKey {
        if let newKeyFile { return try .read(URL(fileURLWithPath: newKeyFile)) }
        let text = ProcessInfo.processInfo.environment[TokenKey.nextEnvironmentVariable] ?? ""
        guard !text.isEmpty else {
            note(
                "Error: There is no new key: use --new-key-file FILE, or set "
                    + "\(TokenKey.nextEnvironmentVariable). openssl rand -base64 32 generates one.")
            throw ExitCode.validationFailure
        }
        return try TokenKey(base64: text)
    }
}
