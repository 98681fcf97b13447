internal import Reports

extension ComparisonTable {
    /// The same tables on an HTML page. `style` must be the page's.
    var htmlSections: [HTMLSection] {
        guard !totals.rows.isEmpty else { return [.note("\(heading): no data in either window.")] }
        return [
            .table(PageTable(totals, caption: heading)),
            .table(PageTable(rows, caption: "Changes, row by row")),
        ]
    }

    /// A note with the window that the changes next to the figures refer to.
    var htmlNote: HTMLSection { .note("\(heading).") }

    /// The change of a figure of the totals; `nil` if the figure is not compared.
    func change(of id: String) -> (text: String, ink: Ink?)? {
        if let count = comparison.totals.counts.first(where: { $0.id == id }) {
            return (ChangeText.count(count, style), nil)
        }
        guard let rate = comparison.totals.rates.first(where: { $0.id == id }) else { return nil }
        return (ChangeText.rate(rate.difference, style), ChangeText.ink(rate.difference, of: id))
    }
}
