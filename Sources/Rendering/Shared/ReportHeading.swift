internal import DeliveryModel
internal import Reports

/// The facts above every table: the app, the window, and how and when its figures were counted.
struct ReportHeading {
    let frame: ReportFrame
    let title: String
    /// The facts of a report that is not about the notifications of a window.
    var own: [HTMLPage.Fact]?
    /// The note on figures that are not counts; `nil` for the usual note on rates.
    var rates: HTMLPage.Fact?
    /// The precision of the counts.
    var precision = "exact"

    func lines(_ style: OutputStyle) -> [String] {
        let heading = style.paint("\(title) \(style.dot) \(printable(frame.query.app.slug))", .title)
        return [heading] + facts(style).flatMap { headingLines($0.name, $0.text, style) }
    }

    /// The name is empty if a fact continues the one before it.
    func facts(_ style: OutputStyle) -> [HTMLPage.Fact] {
        if let own { return own.map { (name: $0.name, text: style.spelled($0.text)) } }
        let query = frame.query
        let zone = query.timeZone
        let (from, to) = (zone.toTheMinute(query.window.from), zone.toTheMinute(query.window.to))
        var facts: [HTMLPage.Fact] = [
            ("window", "\(from) \(style.arrow) \(to), \(zone.name)"),
            ("cohort", frame.cohort.words),
            ("counted", "\(frame.unit.rawValue), \(precision), as of \(zone.toTheMinute(frame.asOf))"),
            rates ?? (name: "rates", text: Self.rates(style)),
        ]
        if let cut = query.cutShortText { facts.insert(("", cut), at: 1) }
        if query.window.isWidened { facts.insert(("", "widened to whole quarter hours"), at: 1) }
        if !query.filters.isEmpty {
            facts.append(("only", query.filters.map(Self.words).joined(separator: "; ")))
        }
        return facts
    }

    private static func rates(_ style: OutputStyle) -> String {
        style.isNarrow
            ? "no room for their 95 % intervals: use 80 columns, or --json"
            : "with their 95 % intervals (Wilson) in brackets"
    }

    /// `campaign spring, summer`.
    private static func words(_ filter: ReportFilter) -> String {
        let values = filter.values.map { $0.isEmpty ? "(none)" : printable($0) }
        return "\(filter.dimension.words) \(values.joined(separator: ", "))"
    }
}

extension ReportFrame.Cohort {
    fileprivate var words: String {
        switch self {
        case .sentAt: "by the instant of sending (sent_at), however late an arrival or click"
        case .registeredAt: "by the instant of the registration that said so (registered_at)"
        }
    }
}

extension ReportHeading {
    init(_ sheet: Sheet) {
        self.init(
            frame: sheet.frame, title: sheet.title, own: sheet.facts, rates: sheet.ratesNote,
            precision: sheet.precision)
    }
}

/// A line below the figures: a name, a value, and its meaning.
package struct Remark {
    package let name: String
    let value: String
    let meaning: String
    /// The metric that explains the name.
    let id: String?

    package init(name: String, value: String, meaning: String, id: String? = nil) {
        (self.name, self.value, self.meaning, self.id) = (name, value, meaning, id)
    }

    /// The remarks in columns. If a line is too narrow for the meaning, it follows below.
    package static func lines(_ remarks: [Remark], _ style: OutputStyle, nameWidth: Int) -> [String] {
        let valueWidth = remarks.map { displayWidth($0.value) }.max() ?? 0
        return remarks.flatMap { remark -> [String] in
            let room = String(repeating: " ", count: valueWidth - displayWidth(remark.value))
            let figure = "  \(padded(remark.name, to: nameWidth))  \(room)\(remark.value)"
            let fits = displayWidth(figure) + 2 + displayWidth(remark.meaning) <= style.width ?? .max
            if fits { return ["\(figure)  \(style.paint(remark.meaning, .aside))"] }
            return [figure] + folded(remark.meaning, indentation: 6, style).map { style.paint($0, .aside) }
        }
    }
}

extension ReportQuery {
    /// `cut short: month 2026-02, month 2026-03`; `nil` if no period of the breakdown is cut short.
    var cutShortText: String? {
        guard let period = by.first(where: \.isPeriod), !cutPeriods.isEmpty else { return nil }
        let names = cutPeriods.map { "\(period.words) \(RowKey.Part(period, $0).text)" }
        return "cut short: " + names.joined(separator: ", ")
    }
}

extension Completeness {
    /// The share of notifications that are still young; empty if all are old enough.
    var sentence: String {
        guard young > 0, let share = share.value else { return "" }
        let hours = Self.arrivalWindow.milliseconds / Span.hours(1).milliseconds
        return "\(percent(share)) % of the accepted notifications are younger than \(hours) h: arrivals and "
            + "clicks are still coming in."
    }
}
