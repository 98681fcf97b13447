internal import DeliveryModel
internal import Documents
internal import Ingestion
internal import Instants
internal import Rendering
internal import Reports
internal import Wording

/// An app's quarantine in every output format.
struct QuarantineReport {
    struct Listed {
        let item: QuarantinedItem
        /// As it was posted; `nil` if not requested.
        let text: [UInt8]?

        fileprivate var words: String? { text.map { String(decoding: $0, as: UTF8.self) } }
    }

    let app: String
    let books: QuarantineBooks
    let groups: [QuarantineStock.Group]
    let listed: [Listed]
    let asOf: Instant

    private var itemCount: Int64 { groups.reduce(0) { $0 + $1.items } }
    private var bytes: Int64 { groups.reduce(0) { $0 + $1.bytes } }

    /// `{"report":"quarantine",…}`: `books` are counts of all items since the beginning, of the chosen kind of key, regardless of the
    /// other filters; bytes are of
    /// sealed text, instants in UTC; `text` only if requested.
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

    /// The listed items.
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
            .text("poster") { $0.item.poster.rawValue }, .text("text") { $0.words }, .constant("app", app))
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
            let first = "\(item.itemID)  \(item.receivedAt.utcMinute)  \(printable(item.code))  "
            let lines = [first + style.paint("posted by a \(item.poster.rawValue)", .aside)]
            let text = listed.words.map { ["    " + printable($0)] } ?? []
            return lines + folded(printable(item.detail), indentation: 4, style) + text
        }
    }
}
