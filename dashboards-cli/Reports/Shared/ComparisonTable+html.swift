internal import Reports

extension ComparisonTable {
    /// The same tables on a page; for a table in the page's style.
    var htmlSections: [HTMLSection] {
        guard !totals.rows.isEmpty else { return [.note("\(heading): no data in either window.")] }
        return [
            .table(PageTable(totals, caption: heading)),
            .table(PageTable(rows, caption: "Changes, row by row")),
        ]
    }

    /// What the changes beside the figures are changes since.
    var htmlNote: HTMLSection { .note("\(heading).") }

    /// Of a figure of the totals; `nil` for one that is not compared.
    func change(of id: String) -> (text: String, ink: Ink?)? {
        if let count = comparison.totals.counts.first(where: { $0.id == id }) {
            return (ChangeText.count(count, style), nil)
        }
        guard let rate = comparison.totals.rates.first(where: { $0.id == id }) else { return nil }
        return (ChangeText.rate(rate.difference, style), ChangeText.ink(rate.difference, of: id))
    }
}
