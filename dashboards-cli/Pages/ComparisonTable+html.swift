extension ComparisonTable {
    /// The same tables on a page; for a table in the page's style.
    var htmlSections: [HTMLSection] {
        guard !totals.rows.isEmpty else { return [.note("\(heading): nothing in either window.")] }
        return [
            .table(PageTable(totals, caption: heading)),
            .table(PageTable(rows, caption: "Changes, row by row")),
        ]
    }
}
