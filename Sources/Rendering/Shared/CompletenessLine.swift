internal import DeliveryModel
internal import Instants
internal import Reports

/// The share of notifications that are still young, in one sentence; nothing if all are old enough.
enum CompletenessLine {
    /// No section, or one.
    static func sections(_ completeness: Completeness?, _ style: OutputStyle) -> [[String]] {
        [completeness.map { lines($0, style) } ?? []].filter { !$0.isEmpty }
    }

    static func lines(_ completeness: Completeness, _ style: OutputStyle) -> [String] {
        guard completeness.young > 0, let share = completeness.share.value else { return [] }
        let hours = Completeness.arrivalWindow.milliseconds / Span.hours(1).milliseconds
        let sentence =
            "\(percent(share)) % of the accepted notifications are younger than \(hours) h: arrivals and clicks are still "
            + "coming in."
        return folded(sentence, indentation: 2, style).map { style.paint($0, .aside) }
    }
}
