internal import Access
internal import ArgumentParser
internal import Ingestion
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering

/// `landfall quarantine drop`: prints the plan; with `--apply`, carries it out.
struct QuarantineDropCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove items from quarantine permanently.",
        discussion: """
            Without --apply, the command prints how many items would be removed and changes nothing. Removed \
            items count as dropped. The command can be stopped at any time and run again.

              landfall quarantine drop --app shop --code unknown_type --before 30d
              landfall quarantine drop --app shop --code unknown_type --before 30d --apply
            """)

    @OptionGroup var app: AppOptions

    @OptionGroup var items: QuarantineOptions

    @Option(
        help: ArgumentHelp(
            "Only items received before this instant: 2026-03-01 (UTC), an RFC 3339 instant, 7d, 24h, today.",
            valueName: "when"))
    var before: String?

    @Flag(help: "Apply the plan, in batches of 1,000 items.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        _ = try instant(before, option: "--before", now: .now)
    }

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
                let progress = ProgressLine()
                let dropped = try stock.drop(filter, isStopped: { Task.isCancelled }) {
                    progress.show("dropping  \(grouped($0)) of \(grouped(total)) items")
                }
                progress.clear()
                change.done = [.init(name: "dropped", items: dropped, meaning: "removed permanently")]
                change.wasStopped = Task.isCancelled
            }
            try output.write(json: change.document, csv: change.csv, table: { change.lines($0) })
            if total == 0 {
                try self.app.database.noteNothing("No such item of app \(app.slug) is quarantined")
            }
        }
    }
}
