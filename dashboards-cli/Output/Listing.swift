internal import Basics
internal import Rendering
internal import Reports

/// Columns that say once, for every format, what they show of a row.
struct Listing<Row> {
    struct Column {
        /// The name in JSON and CSV; `nil` if only the table has the column.
        var id: String?
        /// `nil` if the table does not have the column.
        var heading: TextTable.Column?
        /// Whether JSON has it, too.
        var isInJSON = true
        var value: (Row) -> JSONValue = { _ in .null }
        var cell: (Row, OutputStyle) -> TextTable.Cell = { _, _ in "" }
    }

    private let columns: [Column]

    init(_ columns: [Column]) { self.columns = columns }

    init(_ columns: Column...) { self.init(columns) }

    func json(_ rows: [Row]) -> JSONValue {
        let columns = columns.filter(\.isInJSON)
        func object(_ row: Row) -> JSONValue {
            .object(columns.compactMap { column in column.id.map { .init($0, column.value(row)) } })
        }
        return .array(rows.map(object))
    }

    func csv(_ rows: [Row]) -> CSVText {
        let columns = columns.filter { $0.id != nil }
        var text = CSVText(header: columns.compactMap(\.id))
        for row in rows { text.append(columns.map { CSVField($0.value(row)) }) }
        return text
    }

    func table(_ rows: [Row], _ style: OutputStyle) -> TextTable {
        let columns = columns.filter { $0.heading != nil }
        var table = TextTable(columns.compactMap(\.heading))
        table.rows = rows.map { row in columns.map { $0.cell(row, style) } }
        return table
    }
}

extension Listing.Column {
    /// A text, which may be missing.
    ///
    /// - Parameter shown: what the table shows instead.
    static func text(
        _ id: String?, _ title: String? = nil, group: Int = 1, isName: Bool = false, ink: Ink? = nil,
        shown: ((Row, OutputStyle) -> String)? = nil, _ value: @escaping (Row) -> String?
    ) -> Self {
        Self(
            id: id,
            heading: title.map { TextTable.Column($0, isNumber: false, group: group, isName: isName) },
            value: { .optional(value($0)) },
            cell: { row, style in TextTable.Cell(shown?(row, style) ?? value(row) ?? "", ink) })
    }

    /// One text for all rows; in JSON, it is not part of them.
    static func constant(_ id: String, _ text: String) -> Self {
        Self(id: id, isInJSON: false, value: { _ in .string(text) })
    }

    /// A number that identifies something, without separators. It may be missing.
    static func number(_ id: String, _ title: String? = nil, _ value: @escaping (Row) -> Int64?) -> Self {
        Self(
            id: id, heading: title.map { TextTable.Column($0, group: 0) },
            value: { .optional(value($0)) },
            cell: { row, _ in TextTable.Cell(value(row)?.description ?? "") })
    }

    /// A number of things. It may be missing.
    static func count(
        _ id: String, _ title: String? = nil, group: Int = 1, ink: Ink? = nil,
        _ value: @escaping (Row) -> Int64?
    ) -> Self {
        Self(
            id: id, heading: title.map { TextTable.Column($0, group: group) },
            value: { .optional(value($0)) },
            cell: { row, _ in TextTable.Cell(value(row).map(grouped) ?? "", ink) })
    }

    /// An instant, which may be missing. The table shows it to the minute in UTC.
    static func instant(
        _ id: String, _ title: String? = nil, group: Int = 1, ink: Ink? = nil,
        _ value: @escaping (Row) -> Instant?
    ) -> Self {
        text(
            id, title, group: group, ink: ink, shown: { row, _ in value(row)?.utcMinute ?? "" },
            { value($0)?.rfc3339 })
    }

    /// - Parameter words: what the table shows if it is so, and if not.
    static func flag(
        _ id: String, _ title: String, _ words: (String, String), _ value: @escaping (Row) -> Bool
    ) -> Self {
        Self(
            id: id, heading: TextTable.Column(title, isNumber: false, group: 1),
            value: { .bool(value($0)) },
            cell: { row, _ in TextTable.Cell(value(row) ? words.0 : words.1) })
    }
}

extension CSVField {
    /// The text of a JSON value that is neither an array nor an object.
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .bool(let flag): self = .text(flag ? "true" : "false")
        case .null, .array, .object: self = .text("")
        }
    }
}

extension Remark {
    init(_ name: String, _ count: Int64, _ meaning: String) {
        self.init(name: name, value: grouped(count), meaning: meaning)
    }
}
