internal import DeliveryModel
internal import Reports

/// A sheet as CSV: the key first, then the figures, then the facts without which the figures mean nothing, so
/// that each line is readable alone. With a breakdown there is no line of totals, because a sum over the
/// column would count it again; without one, the totals are the only line. A compared window follows.
struct SheetCSV {
    let sheet: Sheet

    private static let frameColumns = ["app", "unit", "from", "to", "time_zone", "cohort", "as_of"]

    var text: CSVText {
        let shown = sheet.columns.indices.filter { sheet.columns[$0].places.contains(.csv) }
        let hasTotals = sheet.keys.isEmpty && !sheet.hasOnlyRows
        let frame = sheet.isFramedInCSV ? frameFields : []
        // These belong to no row.
        let unmatched = hasTotals ? sheet.unmatched : nil
        let comparison = sheet.isComparedInCSV ? sheet.comparison : nil
        let names = shown.map { sheet.columns[$0] }.flatMap(\.fieldNames) + (comparison?.fieldNames ?? [])
        var text = CSVText(
            header: sheet.keys.map(\.rawValue) + names + (unmatched == nil ? [] : ["unmatched", "local"])
                + (sheet.isFramedInCSV ? Self.frameColumns : []))
        func fields(_ values: [SheetValue]) -> [CSVField] {
            shown.flatMap { self.fields(values[$0], sheet.columns[$0]) }
        }
        if hasTotals {
            let aside = unmatched.map { [CSVField.integer($0.unmatched), .integer($0.local)] } ?? []
            text.append(
                fields(sheet.totals) + (comparison?.totals.previousFields ?? []) + aside + frame)
        }
        guard let comparison else {
            for row in sheet.rows {
                text.append((sheet.keys.isEmpty ? [] : row.key.fields) + fields(row.values) + frame)
            }
            return text
        }
        let values = Dictionary(sheet.rows.map { ($0.key, $0.values) }, uniquingKeysWith: { $1 })
        for row in comparison.rows {
            let key = row.key ?? row.previousKey ?? RowKey([])
            let now = row.key.flatMap { values[$0] } ?? sheet.nothing
            text.append(key.fields + fields(now) + row.change.previousFields + frame)
        }
        return text
    }

    private func fields(_ value: SheetValue, _ column: SheetColumn) -> [CSVField] {
        let zone = sheet.frame.query.timeZone
        switch value {
        case .none, .document: return column.fieldNames.map { _ in .number(nil) }
        case .count(let count), .estimate(let count), .milliseconds(let count): return [.integer(count)]
        case .rate(let rate, _): return fields(rate.value, rate.interval, column)
        case .estimatedRate(let rate): return fields(rate.value, rate.interval, column)
        case .words(let words, _, _): return [.text(words)]
        case .names(let names): return [.text(names.joined(separator: " "))]
        case .instant(let instant): return [.text(zone.rfc3339(instant))]
        }
    }

    private func fields(_ value: Double?, _ interval: ClosedRange<Double>?, _ column: SheetColumn)
        -> [CSVField]
    {
        column.isPlain
            ? [.number(value)]
            : [.number(value), .number(interval?.lowerBound), .number(interval?.upperBound)]
    }

    private var frameFields: [CSVField] {
        let (query, zone) = (sheet.frame.query, sheet.frame.query.timeZone)
        return [
            .text(query.app.slug), .text(sheet.frame.unit.rawValue),
            .text(zone.rfc3339(query.window.from)), .text(zone.rfc3339(query.window.to)),
            .text(zone.name), .text(sheet.frame.cohort.rawValue), .text(zone.rfc3339(sheet.frame.asOf)),
        ]
    }
}

extension SheetColumn {
    /// A rate has a value and the two ends of its interval, as fractions; empty if the denominator is 0.
    fileprivate var fieldNames: [String] {
        kind == .rate && !isPlain ? [id, "\(id)_low", "\(id)_high"] : [id]
    }
}

extension RowKey {
    /// One field per dimension, as in JSON; empty if there is none or it is unknown.
    fileprivate var fields: [CSVField] { parts.map { .text($0.value ?? "") } }
}

extension ReportComparison {
    fileprivate var fieldNames: [String] {
        totals.counts.map { "\($0.id)_previous" }
            + totals.rates.flatMap {
                ["\($0.id)_previous", "\($0.id)_change", "\($0.id)_change_low", "\($0.id)_change_high"]
            }
    }
}

extension FiguresChange {
    /// The previous figures, and the changes of the rates.
    fileprivate var previousFields: [CSVField] {
        counts.map { $0.before.map { .integer($0) } ?? .text("") }
            + rates.flatMap { rate -> [CSVField] in
                let interval = rate.difference.interval
                return [
                    .number(rate.difference.first.value), .number(rate.difference.value),
                    .number(interval?.lowerBound), .number(interval?.upperBound),
                ]
            }
    }
}
