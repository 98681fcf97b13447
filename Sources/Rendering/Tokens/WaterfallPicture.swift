internal import DeliveryModel
internal import Reports

/// A waterfall: the level at the start, then each gain and loss from where the one before it ended, then the level at the end.
struct WaterfallPicture {
    let steps: [Step]
    /// The value at the left edge: 0, or more if the changes would otherwise be too small to see.
    let axis: Int64
    let top: Int64

    struct Step {
        let name: String
        let text: String
        let ink: Ink
        /// `nil` for a level, which starts at the axis.
        let from: Int64?
        let to: Int64
    }

    /// Steps on an axis from 0 to the highest level.
    init(_ steps: [Step]) {
        self.steps = steps
        axis = 0
        top = steps.map { max($0.from ?? 0, $0.to) }.max() ?? 0
    }

    init(_ period: TokenWaterfall.Period) {
        var level = period.start[.active]
        var steps = [Step(name: "start", text: grouped(level), ink: .attempted, from: nil, to: level)]
        var levels = [level]
        for flow in ActiveFlow.inOrder(Set(period.flows.keys)) {
            guard let count = period.flows[flow] else { continue }
            let next = flow.isGain ? level + count : level - count
            steps.append(
                Step(
                    name: flow.title, text: (flow.isGain ? "+" : "-") + grouped(count),
                    ink: flow.isGain ? .confirmed : .trouble, from: level, to: next))
            level = next
            levels.append(level)
        }
        steps.append(Step(name: "end", text: grouped(level), ink: .attempted, from: nil, to: level))
        let (low, high) = (levels.min() ?? 0, levels.max() ?? 0)
        self.steps = steps
        top = high
        axis = high - low > high / 4 ? 0 : max(0, low - max(1, (high - low) / 5))
    }

    func lines(_ style: OutputStyle) -> [String] {
        let nameWidth = steps.map { displayWidth($0.name) }.max() ?? 0
        let textWidth = steps.map(\.text.count).max() ?? 0
        let width = max(0, min(50, (style.width ?? 100) - nameWidth - textWidth - 8))
        return steps.map { step in
            let text = String(repeating: " ", count: textWidth - step.text.count) + step.text
            let line = "  \(padded(step.name, to: nameWidth))  \(text)"
            guard let bar = bar(step, width: width, style) else { return line }
            return "\(line)  \(String(repeating: " ", count: bar.room))\(style.paint(bar.text, step.ink))"
        }
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

extension Bar {
    /// A bar of this many columns.
    fileprivate static func text(_ columns: Double, of width: Int, _ style: OutputStyle) -> String {
        text(columns / Double(width), width: width, style)
    }
}

extension ActiveFlow {
    /// As shown to users.
    var title: String {
        switch self {
        case .registered: "registered"
        case .revived: "revived"
        case .rotated: "rotated"
        case .retired(let rule): rule
        case .stale: "stale"
        case .suspect: "suspect"
        }
    }
}
