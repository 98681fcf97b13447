internal import DeliveryModel
internal import Reports

/// How much of the window is still to come, in one sentence; nothing when all of it is old enough.
enum CompletenessLine {
    /// None, or one.
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
