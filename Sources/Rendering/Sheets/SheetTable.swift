internal import DeliveryModel
internal import Reports

/// The table of a sheet, for a terminal or a page.
struct SheetTable {
    let sheet: Sheet
    let style: OutputStyle
    private let groups: [[SheetTableColumn]]
    private let columns: [SheetTableColumn]
    /// The positions of the columns by their ids, see ``Sheet/position(of:)``.
    private let positions: [String: Int]

    /// - Parameter left: ids of columns that this table leaves out.
    init(_ sheet: Sheet, _ style: OutputStyle, without left: Set<String> = []) {
        self.sheet = sheet
        self.style = style
        groups = sheet.table.map { group in
            group.filter { column in
                if case .column(let id) = column { !left.contains(id) } else { true }
            }
        }
        columns = groups.flatMap(\.self)
        positions = Dictionary(
            sheet.columns.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { _, last in last })
    }

    var table: TextTable {
        var table = TextTable(
            groups.enumerated().flatMap { group, columns in columns.map { head($0, group) } })
        let scales = columns.map(largest)
        table.rows = sheet.rows.map { row in zip(columns, scales).map { cell($0, row, $1) } }
        if sheet.hasTableTotals { table.totals = totals }
        return table
    }

    private func head(_ column: SheetTableColumn, _ group: Int) -> TextTable.Column {
        switch column {
        case .key(let dimension, let title, let isName):
            return .init(
                title ?? dimension.title, isNumber: false, group: group, isName: isName ?? !dimension.isPeriod
            )
        case .bar(let bar):
            return .init(bar: bar.title, group: group, isRate: sheet.column(bar.id)?.kind == .rate)
        case .column(let id):
            guard let column = sheet.column(id) else { return .init(id, group: group) }
            return .init(
                column.title, id: id, isNumber: column.kind.isNumber, group: group,
                isName: column.kind == .name)
        }
    }

    // MARK: - Cells

    private func cell(_ column: SheetTableColumn, _ row: Sheet.Row, _ largest: Double) -> TextTable.Cell {
        switch column {
        case .key(let dimension, _, _):
            guard let part = row.key.parts.first(where: { $0.dimension == dimension }) else { return "" }
            var cell = TextTable.Cell(part.text)
            cell.part = part
            return cell
        case .bar(let bar):
            let value = value(bar.id, in: row.values)
            let number = value.number ?? 0
            let whole: Double
            switch bar.scale {
            case .one: whole = 1
            case .largest: whole = largest
            case .column(let id): whole = self.value(id, in: row.values).number ?? 0
            }
            // A rate that is drawn although no other one is: its own length.
            let fraction = whole > 0 ? number / whole : value.rate == nil ? 0 : number
            let ink = value.isDoubtful ? .aside : ink(of: bar, row.values)
            return .bar(fraction, ink, width: bar.width, style)
        case .column(let id): return cell(id, row.values)
        }
    }

    /// The value of a full bar, if it is that of the largest row. Rates with a caveat are too high to count.
    private func largest(_ column: SheetTableColumn) -> Double {
        guard case .bar(let bar) = column, case .largest(let id) = bar.scale else { return 0 }
        return sheet.rows.map { value(id, in: $0.values) }.filter { !$0.isDoubtful }.compactMap(\.number)
            .max() ?? 0
    }

    private func ink(of bar: SheetBar, _ values: [SheetValue]) -> Ink {
        guard let inks = bar.inks, case .words(let words, _, _) = value(inks.column, in: values) else {
            return bar.ink
        }
        return inks.words[words] ?? bar.ink
    }

    private func value(_ id: String, in values: [SheetValue]) -> SheetValue {
        positions[id].map { values[$0] } ?? .none
    }

    private func cell(_ id: String, _ values: [SheetValue]) -> TextTable.Cell {
        guard let position = positions[id] else { return "" }
        let (column, value) = (sheet.columns[position], values[position])
        let text = value.text(
            style, column.isPlain ? .plain : .full, in: sheet.frame.query.timeZone)
        switch value {
        case .none: return .init(text, .aside)
        case .rate where column.isPlain: return .init(text, value.isDoubtful ? .aside : nil)
        case .rate(let rate, _):
            let ink: Ink? = value.isDoubtful ? .aside : rate.value ?? 0 > column.inkAbove ? column.ink : nil
            var cell = TextTable.Cell.rate(rate, style, ink, text: text)
            cell.isDoubtful = value.isDoubtful
            return cell
        case .words(_, _, let ink): return .init(text, ink)
        case .count(let count): return .init(text, column.ink == .trouble && count > 0 ? .trouble : nil)
        case .milliseconds: return .init(text, column.ink)
        default: return .init(text)
        }
    }

    private var totals: [TextTable.Cell] {
        var cells = columns.map { column -> TextTable.Cell in
            switch column {
            case .key: ""
            case .bar(let bar): .init(bar.total)
            case .column(let id):
                sheet.blankTotals.contains(id) || sheet.column(id)?.kind.isNumber != true
                    ? "" : cell(id, sheet.totals)
            }
        }
        if let first = cells.indices.first { cells[first] = .init("Total", .title) }
        return cells
    }
}
