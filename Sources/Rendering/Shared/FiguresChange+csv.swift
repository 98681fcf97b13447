internal import DeliveryModel
internal import Reports

extension Figures {
    var columns: [String] { counts.map(\.id) + rates.flatMap { Proportion.columns($0.id) } }

    var fields: [CSVField] {
        counts.map { $0.value.map { .integer($0) } ?? .text("") } + rates.flatMap { $0.proportion.fields }
    }
}

extension FiguresChange {
    /// The previous figures, and the changes of the rates.
    var previousFields: [CSVField] {
        counts.map { $0.before.map { .integer($0) } ?? .text("") }
            + rates.flatMap { rate -> [CSVField] in
                let interval = rate.difference.interval
                return [
                    .number(rate.difference.first.value), .number(rate.difference.value),
                    .number(interval?.lowerBound), .number(interval?.upperBound),
                ]
            }
    }

    fileprivate var previousColumns: [String] {
        counts.map { "\($0.id)_previous" }
            + rates.flatMap {
                ["\($0.id)_previous", "\($0.id)_change", "\($0.id)_change_low", "\($0.id)_change_high"]
            }
    }
}

extension ReportComparison {
    var columns: [String] { totals.previousColumns }

    /// Every row. Rows that only the other window has are listed under their key there.
    var lines: [(key: RowKey, change: FiguresChange)] {
        rows.map { (key: $0.key ?? $0.previousKey ?? RowKey([]), change: $0.change) }
    }
}
