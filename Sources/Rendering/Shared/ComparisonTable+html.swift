internal import DeliveryModel
internal import Reports

extension ComparisonTable {
    /// The tables on an HTML page, below the pictures with the changes of the totals. `style` must be the
    /// page's.
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

    /// The change of a figure of the totals; `nil` if the figure is not compared, or nothing was recorded in the other window.
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
