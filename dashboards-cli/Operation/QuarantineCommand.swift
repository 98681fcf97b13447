internal import ArgumentParser
internal import DeliveryModel
internal import Ingestion
internal import Presets
internal import Rendering
internal import Reports
internal import Vault

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine", abstract: "List, replay and drop rejected items.",
        discussion: """
            Every rejected item is kept, sealed, with the reason: per app, up to 50,000 items and 128 MiB of \
            what servers posted, and as much of what devices posted. Beyond that, the oldest of the same \
            share are removed.
            """,
        subcommands: [QuarantineListCommand.self, QuarantineReplayCommand.self, QuarantineDropCommand.self])
}

struct QuarantineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what is in quarantine: counts by code, and the newest items.",
        discussion: """
            The posted text is shown only with --show-text, because it may contain device tokens. Reading it \
            requires the server's token key.

              landfall quarantine list --app shop
              landfall quarantine list --poster device
              landfall quarantine list --code invalid_instant --from 24h --show-text --json
            """)

    @OptionGroup var app: AppOptions
    @OptionGroup var items: QuarantineOptions

    @Option(help: .when("Only items received at or after this instant: \(InstantForms.utc)."))
    var from: String?

    @Option(help: .when("Only items received before this instant, in the same formats as --from."))
    var to: String?

    @Option(help: "List this many items.") var limit: Int64 = 20
    @Flag(help: "Show the posted text.") var showText = false
    @OptionGroup(title: "Output") var output: OutputOptions

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
            let newest = try stock.newest(filter, limit: limit, withText: showText)
            let listed = try newest.map { item -> QuarantineReport.Listed in
                (item, try vault.map { String(decoding: try item.text($0), as: UTF8.self) })
            }
            return QuarantineReport(
                app: app.slug, books: try stock.books(of: filter.poster), groups: try stock.groups(filter),
                listed: listed, asOf: now)
        }
        try output.write(report)
        if report.groups.isEmpty {
            try app.database.noteNothing("Nothing is quarantined for app \(report.app)")
        }
    }
}

/// The items of the quarantine to select, except by the time they were received.
struct QuarantineOptions: ParsableArguments {
    @Option(
        help: .value("Only items rejected with this code (may be repeated): \(codes).", "code"),
        transform: { try word($0, of: "code") })
    var code: [ItemRejection.Code] = []

    @Option(help: .value("Only the item with this number (may be repeated).", "id")) var id: [Int64] = []

    @Option(
        help: .value("Only items that this kind of key posted: server or device.", "kind"),
        transform: { try word($0, of: "kind of key that posts items") })
    var poster: EventValidator.Poster?

    @Option(
        help: .value("Only items in the form of this sender: \(presets).", "preset"),
        transform: preset(named:))
    var preset: String?

    private static let presets = Preset.all.map(\.name).joined(separator: ", ")

    private static func preset(named name: String) throws -> String {
        guard Preset.named(name) != nil else {
            throw ValidationError("There is no preset '\(name)'. Use \(presets).")
        }
        return name
    }

    private static let codes = ItemRejection.Code.allCases.map(\.rawValue).joined(separator: ", ")

    func filter(from: Instant? = nil, to: Instant? = nil) -> QuarantineFilter {
        QuarantineFilter(
            codes: code.isEmpty ? nil : code, itemIDs: id.isEmpty ? nil : id, from: from, to: to,
            poster: poster, preset: preset)
    }

    /// The selection, for the audit.
    var words: String {
        let parts =
            code.map(\.rawValue) + id.map { "item \($0)" }
            + [poster.map { "of \($0.rawValue) keys" }, preset.map { "of \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "all items" : parts.joined(separator: ", ")
    }
}

struct QuarantineReport: CommandResult {
    /// The text is as it was posted; `nil` if not requested.
    typealias Listed = (item: QuarantinedItem, text: String?)

    let app: String
    let books: QuarantineBooks
    let groups: [QuarantineStock.Group]
    let listed: [Listed]
    let asOf: Instant

    private var itemCount: Int64 { groups.reduce(0) { $0 + $1.items } }
    private var bytes: Int64 { groups.reduce(0) { $0 + $1.bytes } }

    /// `{"report":"quarantine",…}`: `books` are counts of all items so far, of the chosen kind of key,
    /// regardless of the other filters; bytes are of sealed text, instants in UTC; `text` only if requested.
    var document: JSONValue {
        [
            "report": "quarantine", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "books": [
                "kept": .integer(books.kept), "repeated": .integer(books.repeated),
                "evicted": .integer(books.evicted), "dropped": .integer(books.dropped),
                "replayed": .integer(books.replayed),
            ],
            "items": .integer(itemCount), "bytes": .integer(bytes), "codes": Self.codes.json(groups),
            "listed": items.json(listed),
        ]
    }

    var csv: CSVText { items.csv(listed) }

    private static var codes: Listing<QuarantineStock.Group> {
        Listing(
            .text("code", "Code", group: 0) { $0.code }, .count("items", "Items") { $0.items },
            .count("bytes", "Bytes") { $0.bytes }, .instant("oldest", "Oldest (UTC)") { $0.oldest },
            .instant("newest", "Newest (UTC)") { $0.newest })
    }

    private var items: Listing<Listed> {
        Listing(
            .number("id") { $0.item.itemID }, .instant("received_at") { $0.item.receivedAt },
            .text("code") { $0.item.code }, .text("detail") { $0.item.detail },
            .text("poster") { $0.item.poster.rawValue }, .text("preset") { $0.item.preset },
            .text("text") { $0.text }, .constant("app", app))
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading = style.paint("Quarantine \(style.dot) \(printable(app))", .title)
        let history =
            "\(grouped(books.kept)) kept, \(grouped(books.repeated)) repeated, \(grouped(books.evicted)) evicted, "
            + "\(grouped(books.dropped)) dropped, \(grouped(books.replayed)) replayed"
        let top = [heading] + headingLines("so far", history, style)
        guard itemCount > 0 else { return top + ["", "No such item is in quarantine."] }
        let total = "\(grouped(itemCount)) items, \(grouped(bytes)) bytes of sealed text"
        return top + headingLines("shown", total, style) + [""] + Self.codes.table(groups, style).lines(style)
            + (listed.isEmpty ? [] : [""] + itemLines(style))
    }

    /// The items, each followed by its detail and text, which are too long for columns.
    private func itemLines(_ style: OutputStyle) -> [String] {
        listed.flatMap { listed -> [String] in
            let item = listed.item
            let form = item.preset.map { ", in the form of \(printable($0))" } ?? ""
            let first = "\(item.itemID)  \(item.receivedAt.utcMinute)  \(printable(item.code))  "
            let lines = [first + style.paint("posted by a \(item.poster.rawValue)\(form)", .aside)]
            let text = listed.text.map { ["    " + printable($0)] } ?? []
            return lines + folded(printable(item.detail), indentation: 4, style) + text
        }
    }
}
