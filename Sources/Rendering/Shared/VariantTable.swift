internal import DeliveryModel
internal import Reports

/// The variants of a campaign compared with its control. No winner is declared: the numbers show what may be
/// due to chance, but not what a wrong choice would cost.
struct VariantTable {
    let comparisons: [VariantComparison]
    let style: OutputStyle

    /// `nil` if nothing is compared.
    init?(_ comparisons: [VariantComparison], _ style: OutputStyle) {
        guard !comparisons.isEmpty else { return nil }
        self.comparisons = comparisons
        self.style = style
    }

    var lines: [String] {
        folded(heading, to: style.width).map { style.paint($0, .title) } + [""]
            + table.lines(style)
            + reasons.flatMap { folded($0, indentation: 2, style) }.map { style.paint($0, .aside) }
    }

    /// The table on an HTML page. `style` must be the page's.
    var htmlSections: [HTMLSection] {
        [
            .table(PageTable(table, caption: "Variants compared with the control")),
            .note(([heading] + reasons).joined(separator: " ")),
        ]
    }

    private var reasons: [String] { Set(comparisons.compactMap { $0.obstacle?.description }).sorted() }

    private var heading: String {
        let control = comparisons.first?.control.map(printable) ?? "(none)"
        let test =
            comparisons.count > 1
            ? "two-proportion z-test, p with Holm's correction for \(comparisons.count) comparisons"
            : "two-proportion z-test"
        return
            "Click-through of each variant against \(control): \(test); difference with Newcombe's 95 % interval. "
            + "No winner is declared."
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Variant", isNumber: false, group: 0, isName: true), .init("Confirmed", group: 1),
            .init("Clicked", group: 1), .init("Click-through", group: 1), .init("Lift", group: 2),
            .init("Difference", group: 2), .init("p", group: 2),
        ])
        if let first = comparisons.first {
            let control: [TextTable.Cell] = [
                .init("control", .aside), .init(style.nothing, .aside), .init(style.nothing, .aside),
            ]
            table.rows.append(cells(first.control, first.difference.first) + control)
        }
        for comparison in comparisons {
            let difference = comparison.difference
            let ink: Ink? =
                comparison.obstacle == nil ? ChangeText.ink(difference, of: Rate.clickThrough.id) : .aside
            let verdict: [TextTable.Cell] = [
                .init(difference.lift.map(lift) ?? style.nothing, ink),
                .init(ChangeText.rate(difference, style), ink),
                .init(
                    comparison.correctedP.map(probability) ?? comparison.noVerdict,
                    comparison.correctedP == nil ? .aside : nil),
            ]
            table.rows.append(cells(comparison.variant, difference.second) + verdict)
        }
        return table
    }

    private func cells(_ variant: String?, _ rate: Proportion) -> [TextTable.Cell] {
        [
            .init(variant ?? "(none)"), .init(grouped(rate.denominator)), .init(grouped(rate.numerator)),
            .rate(rate, style, .clicked),
        ]
    }

    private func lift(_ lift: Double) -> String { (lift > 0 ? "+" : "") + percent(lift) + " %" }

    /// `0.013`, `< 0.001`.
    private func probability(_ p: Double) -> String {
        let thousandths = Int((p * 1_000).rounded())
        guard thousandths > 0 else { return "< 0.001" }
        let digits = String(thousandths % 1_000)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension VariantComparison {
    /// The text instead of a p-value.
    fileprivate var noVerdict: String {
        if case .doubtful = obstacle { return "few arrivals reported" }
        return "not enough data"
    }
}
