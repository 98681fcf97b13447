internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Ingestion
internal import Instants
internal import Logging
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import TokenLifecycle

/// `landfall quarantine replay`: prints the plan; with `--apply`, carries it out.
struct QuarantineReplayCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Post quarantined items again, once the reason for their rejection is gone.",
        discussion: """
            Without --apply, the command prints how many items would be posted and changes nothing. Items \
            follow the same rules as any request, with the rights of the key that posted them. Accepted \
            items and duplicates leave the quarantine; items that are rejected again stay. The command \
            requires the server's token key. It can be stopped at any time and run again. It exits with 4 if \
            another replay of the app is running.

              landfall quarantine replay --app shop --code too_long
              landfall quarantine replay --app shop --code too_long --apply
            """)

    @OptionGroup var app: AppOptions

    @OptionGroup var items: QuarantineOptions

    @Flag(help: "Apply the plan, in batches of 1,000 items.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func work() throws {
        try app.withApp { chosen, connection in
            let vault = try TokenVault.ofServer(connection, app.database.settings())
            let stock = QuarantineStock(appID: chosen.appID, on: connection)
            let replay = QuarantineReplay(
                stock, vault: vault,
                retention: try RetentionSetting.read(on: connection) ?? .standardRetention,
                additionalProviders: chosen.additionalProviders,
                trust: try AppDirectory(connection).trust(of: chosen, vault: vault))
            let now = Instant.now
            let plan = try replay.plan(items.filter(), now: now)
            var change = QuarantineChange(
                action: "replay", app: chosen.slug, asOf: now,
                plan: [
                    .init(name: "posted", items: plan.postable, meaning: "valid now, would be posted"),
                    .init(
                        name: "rejected", items: plan.rejected, meaning: "would be rejected again, and stay"),
                ])
            if apply {
                try Audit.recordCommand(
                    "quarantine_replay", app: chosen, subject: items.words, on: connection)
                let result = try carryOut(replay, plan.postable + plan.rejected, now, vault, connection)
                change.done = result.counts
                change.wasStopped = result.wasStopped
            }
            try output.write(json: change.document, csv: change.csv, table: { change.lines($0) })
            if plan.postable + plan.rejected == 0 {
                try app.database.noteNothing("No such item of app \(chosen.slug) is quarantined")
            }
        }
    }

    private func carryOut(
        _ replay: QuarantineReplay, _ total: Int64, _ now: Instant, _ vault: TokenVault,
        _ connection: PostgresConnection
    ) throws -> QuarantineReplayResult {
        let recorder = BatchRecorder(
            vault: vault, taxonomy: try RejectionTaxonomy(from: connection),
            logger: Logger(label: "landfall") { StreamLogHandler.standardError(label: $0) })
        let progress = ProgressLine()
        defer { progress.clear() }
        return try replay.apply(
            items.filter(), now: now, isStopped: { Task.isCancelled },
            progress: { progress.show("replaying  \(grouped($0.items)) of \(grouped(total)) items") },
            write: { try recorder.write($0, on: connection) })
    }
}

extension QuarantineReplayResult {
    fileprivate var items: Int64 { accepted + duplicates + rejected }

    fileprivate var counts: [QuarantineChange.Count] {
        [
            .init(name: "accepted", items: accepted, meaning: "recorded, removed from quarantine"),
            .init(name: "duplicates", items: duplicates, meaning: "already known, removed from quarantine"),
            .init(name: "rejected", items: rejected, meaning: "rejected again, still in quarantine"),
        ]
    }
}
