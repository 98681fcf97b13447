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
    }

    let app: String
    let books: QuarantineBooks
    let groups: [QuarantineStock.Group]
    let listed: [Listed]
    let asOf: Instant

    private var items: Int64 { groups.reduce(0) { $0 + $1.items } }
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
            "items": .integer(items), "bytes": .integer(bytes), "codes": .array(groups.map(Self.json)),
            "listed": .array(listed.map(Self.json)),
        ]
    }

    private static func json(_ group: QuarantineStock.Group) -> JSONValue {
        [
            "code": .string(group.code), "items": .integer(group.items), "bytes": .integer(group.bytes),
            "oldest": .string(group.oldest.rfc3339), "newest": .string(group.newest.rfc3339),
        ]
    }

    private static func json(_ listed: Listed) -> JSONValue {
        let item = listed.item
        return [
            "id": .integer(item.itemID), "received_at": .string(item.receivedAt.rfc3339),
            "code": .string(item.code), "detail": .string(item.detail),
            "poster": .string(item.poster.rawValue),
            "text": listed.text.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
        ]
    }

    /// The listed items.
    var csv: CSVText {
        var text = CSVText(header: ["id", "received_at", "code", "detail", "poster", "text", "app"])
        for listed in listed {
            let item = listed.item
            text.append([
                .integer(item.itemID), .text(item.receivedAt.rfc3339), .text(item.code), .text(item.detail),
                .text(item.poster.rawValue),
                .text(listed.text.map { String(decoding: $0, as: UTF8.self) } ?? ""), .text(app),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading = style.paint("Quarantine \(style.dot) \(printable(app))", .title)
        let history =
            "\(grouped(books.kept)) kept, \(grouped(books.repeated)) repeated, \(grouped(books.evicted)) evicted, "
            + "\(grouped(books.dropped)) dropped, \(grouped(books.replayed)) replayed"
        let top = [heading] + headingLines("so far", history, style)
        guard items > 0 else { return top + ["", "No such item is in quarantine."] }
        let total = "\(grouped(items)) items, \(grouped(bytes)) bytes of sealed text"
        return top + headingLines("shown", total, style) + [""] + codes.lines(style)
            + (listed.isEmpty ? [] : [""] + itemLines(style))
    }

    private var codes: TextTable {
        var table = TextTable([
            .init("Code", isNumber: false, group: 0), .init("Items", group: 1), .init("Bytes", group: 1),
            .init("Oldest (UTC)", isNumber: false, group: 1),
            .init("Newest (UTC)", isNumber: false, group: 1),
        ])
        table.rows = groups.map { group in
            [
                .init(group.code), .init(grouped(group.items)), .init(grouped(group.bytes)),
                .init(group.oldest.utcMinute), .init(group.newest.utcMinute),
            ]
        }
        return table
    }

    /// The items, each followed by its detail and text, which are too long for columns.
    private func itemLines(_ style: OutputStyle) -> [String] {
        listed.flatMap { listed -> [String] in
            let item = listed.item
            let first = "\(item.itemID)  \(item.receivedAt.utcMinute)  \(printable(item.code))  "
            let lines = [first + style.paint("posted by a \(item.poster.rawValue)", .aside)]
            let text = listed.text.map { ["    " + printable(String(decoding: $0, as: UTF8.self))] } ?? []
            return lines + folded(printable(item.detail), indentation: 4, style) + text
        }
    }
}
