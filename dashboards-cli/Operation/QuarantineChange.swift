internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Ingestion
internal import Logging
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Vault

struct QuarantineDropCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Remove items from quarantine permanently.",
        discussion: """
            Without --apply, the command prints how many items would be removed and changes nothing. Removed \
            items count as dropped. The command can be stopped at any time and run again.

              landfall quarantine drop --app shop --code unknown_type --before 30d
              landfall quarantine drop --app shop --code unknown_type --before 30d --apply
            """)

    @OptionGroup var app: AppOptions
    @OptionGroup var items: QuarantineOptions
    @Option(help: .when("Only items received before this instant: \(InstantForms.utc).")) var before: String?
    @Flag(help: "Apply the plan, in batches of 1,000 items.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { _ = try instant(before, option: "--before", now: .now) }

    func work() throws {
        let now = Instant.now
        let filter = items.filter(to: try instant(before, option: "--before", now: now))
        try app.withApp { app, connection in
            let stock = QuarantineStock(appID: app.appID, on: connection)
            let total = try stock.groups(filter).reduce(0) { $0 + $1.items }
            var change = QuarantineChange(
                action: "drop", app: app.slug, asOf: now,
                plan: [.init(name: "dropped", items: total, meaning: "would be removed permanently")])
            if apply {
                let words = [items.words] + (before.map { ["before \($0)"] } ?? [])
                try Audit.recordCommand(
                    "quarantine_drop", app: app, subject: words.joined(separator: ", "), on: connection)
                let dropped = try ProgressLine.showing("dropping", of: total, "items") {
                    try stock.drop(filter, isStopped: { Task.isCancelled }, progress: $0)
                }
                change.done = [.init(name: "dropped", items: dropped, meaning: "removed permanently")]
                change.wasStopped = Task.isCancelled
            }
            try output.write(change)
            if total == 0 {
                try self.app.database.noteNothing("No such item of app \(app.slug) is quarantined")
            }
        }
    }
}

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
    @Flag(help: "Apply the plan, in batches of 1,000 items.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

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
            try output.write(change)
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
        return try ProgressLine.showing("replaying", of: total, "items") { show in
            try replay.apply(
                items.filter(), now: now, isStopped: { Task.isCancelled }, progress: { show($0.items) },
                write: { try recorder.write($0, on: connection) })
        }
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

struct QuarantineChange: OperationReport {
    struct Count {
        let name: String
        let items: Int64
        let meaning: String
    }

    /// `replay` or `drop`.
    let action: String
    let app: String
    let asOf: Instant
    let plan: [Count]
    /// `nil` for a plan.
    var done: [Count]?
    var wasStopped = false

    private var plannedItems: Int64 { plan.reduce(0) { $0 + $1.items } }

    /// `{"report":"quarantine_replay",…}`: counts of items; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": .string("quarantine_\(action)"), "app": .string(app), "as_of": .string(asOf.rfc3339),
            "plan": Self.json(plan), "applied": done.map(Self.json) ?? .null,
            "was_stopped": .bool(wasStopped),
        ]
    }

    private static func json(_ counts: [Count]) -> JSONValue {
        .object(counts.map { .init($0.name, .integer($0.items)) })
    }

    var csv: CSVText {
        typealias Row = (step: String, count: Count)
        let planned: [Row] = plan.map { ("plan", $0) }
        let applied: [Row] = (done ?? []).map { ("applied", $0) }
        return Listing<Row>(
            .constant("action", action), .text("step") { $0.step }, .text("count") { $0.count.name },
            .count("items") { $0.count.items }, .constant("app", app), .constant("as_of", asOf.rfc3339)
        ).csv(planned + applied)
    }

    var title: String { "Quarantine \(action)" }

    func figures(_ style: OutputStyle) -> [String] {
        Remark.lines((done ?? plan).map { Remark($0.name, $0.items, $0.meaning) }, style, nameWidth: 10)
    }

    var verdict: String {
        if done != nil {
            return wasStopped ? "Stopped between two batches; the next run continues." : "Done."
        }
        return plannedItems == 0
            ? "Nothing to do." : "This is a plan: nothing was changed. --apply carries it out."
    }
}
