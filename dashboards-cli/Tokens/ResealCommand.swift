internal import Access
internal import ArgumentParser
internal import Foundation
internal import Ingestion
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Settings
internal import TokenLifecycle
internal import Vault

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

    @OptionGroup(title: "Database") var database: DatabaseOptions

    @Option(
        help: .value(
            "The file with the new key, 32 bytes in base64. Default: LANDFALL_TOKEN_KEY_NEXT.", "file"))
    var newKeyFile: String?

    @Flag(help: "Apply the plan, in batches.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func work() throws {
        let now = Instant.now
        let new = try newKey()
        let settings = try database.settings()
        let folder = settings.dataFolder
        guard let old = try TokenKey.find(dataFolder: folder, environment: settings.environment) else {
            throw CommandProblem.noTokenKey
        }
        var cellsLeft = settings.values.cells.count
        try database.withEachCell(output) { database, results in
            let connection = try database.connect()
            let reseal = Reseal(
                from: TokenVault(old), to: TokenVault(new),
                of: [SealedTokens(), SealedQuarantine(), SealedSigningKeys()],
                on: connection)
            var report = ResealReport(plan: try reseal.plan(), stage: try reseal.stage(), asOf: now)
            if apply {
                try Audit.recordCommand("tokens_resealed", on: connection)
                report.result = try ProgressLine.showing("resealing", of: report.total, "rows") {
                    try reseal.apply(isStopped: { Task.isCancelled }, progress: $0)
                }
                if report.result?.wasStopped == false { cellsLeft -= 1 }
                // Until then, another run needs the old key for the rest.
                if cellsLeft == 0 {
                    report.hasReplacedFile = try new.replaceStored(in: folder)
                }
            }
            try results.write(report)
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

struct ResealReport: OperationReport {
    let plan: [String: SealedRowCounts]
    let stage: Reseal.Stage
    let asOf: Instant
    /// `nil` for a plan.
    var result: Reseal.Result?
    /// Whether the key in the data folder is now the new one.
    var hasReplacedFile = false

    var total: Int64 { plan.values.reduce(0) { $0 + $1.rows } }

    private static let kinds = ["tokens", "quarantine", "signing_keys"]

    /// `{"report":"token_reseal",…}`: counts of rows; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": "token_reseal", "as_of": .string(asOf.rfc3339), "stage": .string(stageName),
            "rows": Self.json(plan), "applied": result.map { Self.json($0.moved) } ?? .null,
            "was_stopped": .bool(result?.wasStopped ?? false), "has_replaced_file": .bool(hasReplacedFile),
        ]
    }

    private static func json(_ counts: [String: SealedRowCounts]) -> JSONValue {
        .object(
            kinds.map { kind in
                let counts = counts[kind] ?? SealedRowCounts()
                return .init(
                    kind,
                    [
                        "rows": .integer(counts.rows), "tombstones": .integer(counts.tombstones),
                        "unreadable": .integer(counts.unreadable),
                    ])
            })
    }

    var csv: CSVText {
        typealias Step = (step: String, kind: String, counts: SealedRowCounts)
        let steps = [("plan", plan), ("applied", result?.moved ?? [:])]
        let rows = steps.flatMap { step, counts -> [Step] in
            Self.kinds.compactMap { kind in counts[kind].map { (step: step, kind: kind, counts: $0) } }
        }
        return Listing<Step>(
            .text("step") { $0.step }, .text("kind") { $0.kind }, .count("rows") { $0.counts.rows },
            .count("tombstones") { $0.counts.tombstones }, .count("unreadable") { $0.counts.unreadable },
            .constant("as_of", asOf.rfc3339)
        ).csv(rows)
    }

    let title = "Reseal under a new token key"

    func figures(_ style: OutputStyle) -> [String] {
        let shown = result?.moved ?? plan
        let tokens = shown["tokens"] ?? SealedRowCounts()
        let items = shown["quarantine"] ?? SealedRowCounts()
        let keys = shown["signing_keys"] ?? SealedRowCounts()
        var remarks = [
            Remark("tokens", tokens.rows, "of all apps, found by a new fingerprint"),
            Remark(
                "tombstones", tokens.tombstones,
                "of these, swept or erased: their values will not be recognized later"),
            Remark("quarantine", items.rows, "items of all apps"),
            Remark("signing keys", keys.rows, "of all apps"),
        ]
        let unreadable = tokens.unreadable + items.unreadable + keys.unreadable
        if unreadable > 0 {
            remarks.append(Remark("unreadable", unreadable, "under either key: damaged, and skipped"))
        }
        return Remark.lines(remarks, style, nameWidth: 12)
    }

    private var stageName: String {
        switch stage {
        case .notBegun: "not_begun"
        case .begun: "begun"
        case .done: "done"
        }
    }

    var verdict: String {
        guard let result else {
            switch stage {
            case .notBegun:
                return "This is a plan: nothing was changed. Stop every server, then --apply carries it out."
            case .begun:
                return
                    "A move to this key has not been completed; no server starts. --apply completes it."
            case .done: return "Everything is already sealed with this key."
            }
        }
        guard !result.wasStopped else {
            return "Stopped between two batches: no server starts until the same command has completed."
        }
        return hasReplacedFile
            ? "Done. token.key in the data folder is now the new key; the old one is next to it, as token.key.old."
            : "Done. Start every server with the new key in \(TokenKey.environmentVariable)."
    }
}
