internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Ingestion
internal import Instants
internal import TokenLifecycle

/// `landfall quarantine list`: prints a `QuarantineReport`.
struct QuarantineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what is in quarantine: counts by code, and the newest items.",
        discussion: """
            The posted text is shown only with --show-text, because it may contain device tokens. Reading it \
            requires the server's token key.

              landfall quarantine list --app shop
              landfall quarantine list --poster device
              landfall quarantine list --code invalid_instant --from 24h --show-text --json
            """)

    @OptionGroup var app: AppOptions

    @OptionGroup var items: QuarantineOptions

    @Option(
        help: ArgumentHelp(
            "Only items received at or after this instant: 2026-03-01 (UTC), an RFC 3339 instant, 7d, 24h, today.",
            valueName: "when"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Only items received before this instant, in the same formats as --from.", valueName: "when"))
    var to: String?

    @Option(help: "List this many items.")
    var limit: Int64 = 20

    @Flag(help: "Show the posted text.")
    var showText = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        _ = try filter(now: .now)
        guard limit >= 0 else { throw ValidationError("--limit must be 0 or more.") }
    }

    private func filter(now: Instant) throws -> QuarantineFilter {
        items.filter(
            from: try instant(from, option: "--from", now: now), to: try instant(to, option: "--to", now: now)
        )
    }

    func run() throws {
        let now = Instant.now
        let filter = try filter(now: now)
        let report = try app.withApp { app, connection in
            let stock = QuarantineStock(appID: app.appID, on: connection)
            let vault = showText ? try TokenVault.ofServer(connection, self.app.database.settings()) : nil
            let listed = try stock.newest(filter, limit: limit, withText: showText).map { item in
                QuarantineReport.Listed(item: item, text: try vault.map { try item.text($0) })
            }
            return QuarantineReport(
                app: app.slug, books: try stock.books(of: filter.poster), groups: try stock.groups(filter),
                listed: listed,
                asOf: now)
        }
        try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
        if report.groups.isEmpty {
            try app.database.noteNothing("Nothing is quarantined for app \(report.app)")
        }
    }
}
