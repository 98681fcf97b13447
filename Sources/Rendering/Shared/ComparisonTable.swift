internal import DeliveryModel
internal import Reports

/// A comparison with another window: the totals figure by figure, and the changes of each row.
struct ComparisonTable {
    let comparison: ReportComparison
    let query: ReportQuery
    /// Ids of the counts with a column in the table of rows; all rates have one.
    let shownInRows: Set<String>
    let style: OutputStyle

    /// `nil` if nothing is compared.
    init?(_ sheet: Sheet, _ style: OutputStyle) {
        guard let comparison = sheet.comparison else { return nil }
        self.comparison = comparison
        query = sheet.frame.query
        shownInRows = sheet.comparedInRows
        self.style = style
    }

    /// `Compared with 2026-02-01 00:00 +01:00 → 2026-03-01 00:00 +01:00`
    var heading: String {
        let cut = query.with(window: comparison.window).cutShortText.map { " (\($0))" } ?? ""
        let (from, to) = (comparison.window.from, comparison.window.to)
        let zone = query.timeZone
        return "Compared with \(zone.toTheMinute(from)) \(style.arrow) \(zone.toTheMinute(to))\(cut)"
    }

    var lines: [String] {
        var lines = folded(heading, to: style.width).map { style.paint($0, .title) } + [""]
        lines += totals.lines(style)
        if !rows.rows.isEmpty { lines += [""] + rows.lines(style) }
        return lines
    }

    var totals: TextTable { Self.totals(comparison.totals, columns: ["Then", "Now", "Change"], style) }

    /// Figure by figure. Counts that are 0 in both are left out.
    ///
    /// - Parameter columns: the titles of the earlier figures, of the present ones, and of the change.
    static func totals(_ totals: FiguresChange, columns: [String], _ style: OutputStyle) -> TextTable {
        var table = TextTable(
            [.init("Figure", isNumber: false, group: 0)] + columns.map { .init($0, group: 1) })
        for count in totals.counts where count.isKnown {
            let figures = [count.before, count.now].map { value in
                TextTable.Cell(value.map { ChangeText.figure($0, count.unit) } ?? style.nothing)
            }
            table.rows.append(
                [.init(title(count.id))] + figures + [.init(ChangeText.count(count, style))])
        }
        for rate in totals.rates {
            let difference = rate.difference
            let shares = [difference.first, difference.second].map { share in
                TextTable.Cell(share.value.map { "\(percent($0)) %" } ?? style.nothing)
            }
            let change = TextTable.Cell(
                ChangeText.rate(difference, style), ChangeText.ink(rate))
            table.rows.append([.init(title(rate.id))] + shares + [change])
        }
        return table
    }

    var rows: TextTable {
        let counts = comparison.totals.counts.filter { shownInRows.contains($0.id) }
        let names = counts.map(\.id) + comparison.totals.rates.map(\.id)
        let columns = names.enumerated().map { position, name in
            TextTable.Column("\(Self.title(name)) \(style.change)", group: 1 + position)
        }
        let keys = query.by.map {
            TextTable.Column($0.title, isNumber: false, group: 0, isName: !$0.isPeriod)
        }
        var table = TextTable(keys + columns)
        table.rows = comparison.rows.map { row in
            let key = row.key ?? row.previousKey ?? RowKey([])
            let cells = row.change.counts.filter { shownInRows.contains($0.id) }.map {
                TextTable.Cell(ChangeText.count($0, style))
            }
            let rates = row.change.rates.map {
                TextTable.Cell(ChangeText.rate($0.difference, style), ChangeText.ink($0))
            }
            return key.parts.map { TextTable.Cell($0.text, row.key == nil ? .aside : nil) } + cells + rates
        }
        return table
    }

    private static func title(_ id: String) -> String { SheetColumn.capitalized(SheetColumn.words(id)) }
}

extension FiguresChange.Count {
    /// Whether there is anything to show.
    fileprivate var isKnown: Bool {
        switch unit {
        case .count: before ?? 0 != 0 || now ?? 0 != 0
        case .milliseconds: before != nil || now != nil
        }
    }
}

extension OutputStyle {
    /// Marks the column of a figure's change.
    fileprivate var change: String { usesUnicode ? "±" : "+/-" }
}

extension ComparisonTable {
    /// The tables on an HTML page, below the pictures with changes of totals. `style` must be the page's.
    var htmlSections: [HTMLSection] {
        guard !totals.rows.isEmpty else { return [.note("\(heading): no data in either window.")] }
        guard !isFirst else { return [] }
        return [
            .table(PageTable(rows, caption: "Changes, row by row")),
            .table(PageTable(totals, caption: "Totals, then and now", isFolded: true)),
        ]
    }

    /// The window that all changes refer to, and the rates that changed by more than chance.
    var htmlNote: HTMLSection {
        guard !isFirst else { return .note("\(heading): nothing was recorded then.") }
        return .note(["\(heading).", sentence].compactMap(\.self).joined(separator: " "))
    }

    /// Whether the other window has nothing to compare with, such as that before an app's first day.
    private var isFirst: Bool { comparison.totals.counts.allSatisfy { $0.before ?? 0 == 0 } }

    /// The change of a figure of the totals; `nil` if it is not compared, or the other window is empty.
    func change(of id: String) -> PageChange? {
        guard !isFirst else { return nil }
        if let count = comparison.totals.counts.first(where: { $0.id == id }) {
            return PageChange(text: ChangeText.growth(count, style), ink: nil)
        }
        guard let rate = comparison.totals.rates.first(where: { $0.id == id }) else { return nil }
        return PageChange(
            text: ChangeText.rate(rate.difference, style), ink: ChangeText.ink(rate))
    }

    /// The rates that changed by more than chance, in one sentence; `nil` if no rates are compared.
    private var sentence: String? {
        let rates = comparison.totals.rates.filter { $0.difference.interval != nil && !$0.isDoubtful }
        guard !rates.isEmpty else { return nil }
        let sure = rates.filter { $0.difference.interval?.contains(0) == false }.compactMap { rate in
            rate.difference.value.map { value in
                let name = rate.id.replacing("click_through", with: "click-through").replacing("_", with: " ")
                return "\(name) \(value > 0 ? "rose" : "fell") by \(percent(abs(value))) points"
            }
        }
        guard let last = sure.last else {
            return "No rate changed by more than chance."
        }
        let list = sure.count > 1 ? sure.dropLast().joined(separator: ", ") + " and \(last)" : last
        return "\(list.prefix(1).uppercased() + list.dropFirst()). Gray changes may be chance."
    }
}
