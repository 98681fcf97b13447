internal import Reports

extension WaterfallPicture {
    func lines(_ style: OutputStyle) -> [String] {
        let names = steps.map { $0.from != nil && indentsSteps ? "  \($0.name)" : $0.name }
        let nameWidth = names.map(displayWidth).max() ?? 0
        let texts = steps.map(text)
        let textWidth = texts.map(\.count).max() ?? 0
        let width = max(0, min(50, (style.width ?? 100) - nameWidth - textWidth - 8))
        return steps.indices.map { position in
            let (step, text) = (steps[position], texts[position])
            let room = String(repeating: " ", count: textWidth - text.count)
            let line = "  \(padded(names[position], to: nameWidth))  \(room)\(text)"
            guard let bar = bar(step, width: width, style) else { return line }
            return "\(line)  \(String(repeating: " ", count: bar.room))\(style.paint(bar.text, step.ink))"
        }
    }

    /// `-1,234   4.1 %`: the figure and, if any step has one, its share of the level above.
    private func text(_ step: Step) -> String {
        guard steps.contains(where: { $0.share != nil }) else { return step.figure }
        let share = step.shareText
        return step.figure + String(repeating: " ", count: max(0, 9 - share.count)) + share
    }

    /// `nil` if there is nothing to draw.
    private func bar(_ step: Step, width: Int, _ style: OutputStyle) -> (room: Int, text: String)? {
        guard top > axis, width > 0 else { return nil }
        let (low, high) = (min(step.from ?? axis, step.to), max(step.from ?? axis, step.to))
        let scale = Double(width) / Double(top - axis)
        // Only the end of a bar can be drawn in eighths of a column.
        let room = min(width - 1, Int(Double(low - axis) * scale))
        let text = Bar.text(Double(high - axis) * scale - Double(room), of: width, style)
        return text.isEmpty ? nil : (room, text)
    }
}

extension WaterfallPicture.Step {
    var figure: String { (from != nil && count > 0 ? "+" : "") + grouped(count) }

    /// Empty if there is no share.
    var shareText: String { share.map { "\(percent($0)) %" } ?? "" }
}

extension Bar {
    /// A bar of this many columns.
    fileprivate static func text(_ columns: Double, of width: Int, _ style: OutputStyle) -> String {
        text(columns / Double(width), width: width, style)
    }
}
