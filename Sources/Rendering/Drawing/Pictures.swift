internal import DeliveryModel
internal import Reports

extension StagePicture {
    /// The columns that remain for bars: at most 44, and none if fewer than four remain.
    /// 60 columns are enough for everything else.
    ///
    /// - Parameter nameWidth: the width of the names' column, so that several pictures line up.
    func barWidth(_ style: OutputStyle, nameWidth: Int) -> Int {
        let shareWidth = shares(style).map(displayWidth).max() ?? 0
        let room = (style.width ?? 100) - nameWidth - countWidth(style) - shareWidth - 8
        return room < 4 ? 0 : min(44, room)
    }

    func lines(_ style: OutputStyle, nameWidth: Int, barWidth: Int) -> [String] {
        zip(stages, shares(style)).map { stage, share in
            let bar = stage.ink == nil ? "" : Bar.text(stage.count, of: whole, width: barWidth, style)
            let count = text(stage, style)
            let room = barWidth - displayWidth(bar) + 2 + countWidth(style) - displayWidth(count)
            let line = [
                "  ", padded(stage.terminalName, to: nameWidth), "  ", style.paint(bar, stage.ink),
                String(repeating: " ", count: room), count,
            ].joined()
            return share.isEmpty ? line : line + "  " + share
        }
    }

    private func shares(_ style: OutputStyle) -> [String] {
        stages.map { stage in text(ofShare: stage, style) }
    }

    /// `13.0 % (12.1–14.0) of confirmed`, marked with ! if the share has a caveat.
    func text(ofShare stage: Stage, _ style: OutputStyle) -> String {
        guard let share = stage.share else { return "" }
        return "\(share.proportion.text(style)) of \(name(of: share.of))" + (stage.isDoubtful ? " !" : "")
    }

    /// The count, with a sign before an estimate.
    func text(_ stage: Stage, _ style: OutputStyle) -> String {
        (stage.isEstimate ? style.nearly : "") + grouped(stage.count)
    }

    private func countWidth(_ style: OutputStyle) -> Int {
        stages.map { displayWidth(text($0, style)) }.max() ?? 0
    }
}

extension StagePicture.Stage {
    /// Indented if it is a part of the stage above.
    var terminalName: String { (isPart ? "  " : "") + name }
}

/// The text padded with spaces at its end.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

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

/// Bars from the shortest times to the longest; the length of the range grows by the same factor per line.
struct HistogramPicture {
    struct Line: Equatable {
        let from: Int64
        /// `nil` if the range has no end.
        let to: Int64?
        var notifications: Int64
    }

    let lines: [Line]
    private let count: Int64

    private static let mostLines = 20
    /// The share of notifications at each end, one in 500, whose times go into the first and the last line:
    /// otherwise they would stretch the picture out of shape.
    private static let tail = 0.002

    init(_ histogram: LatencyHistogram) {
        count = histogram.count
        lines = Self.merged(histogram)
    }

    private static func merged(_ histogram: LatencyHistogram) -> [Line] {
        guard let first = histogram.bucket(at: tail), let last = histogram.bucket(at: 1 - tail) else {
            return []
        }
        let span = Int(last.number) - Int(first.number) + 1
        let step = (span + mostLines - 1) / mostLines
        var lines: [Int: [LatencyHistogram.Entry]] = [:]
        for entry in histogram.entries {
            let position = (Int(entry.bucket.number) - Int(first.number)) / step
            lines[min(max(position, 0), (span - 1) / step), default: []].append(entry)
        }
        return closed(
            lines.sorted { $0.key < $1.key }.compactMap { position, entries in
                guard let shortest = entries.first, let longest = entries.last else { return nil }
                let count = entries.reduce(0) { $0 + $1.notifications }
                return (
                    position, Line(from: shortest.bucket.from, to: longest.bucket.to, notifications: count)
                )
            })
    }

    /// Closes the gaps: each line ends where the next one begins, and one line replaces several empty ones.
    private static func closed(_ lines: [(position: Int, line: Line)]) -> [Line] {
        var closed: [Line] = []
        for (number, (position, line)) in lines.enumerated() {
            guard number + 1 < lines.count else { return closed + [line] }
            let next = lines[number + 1]
            guard position + 1 < next.position else {
                closed.append(Line(from: line.from, to: next.line.from, notifications: line.notifications))
                continue
            }
            closed += [line, Line(from: line.to ?? line.from, to: next.line.from, notifications: 0)]
        }
        return closed
    }

    func text(_ ink: Ink, _ style: OutputStyle) -> [String] {
        let names = lines.map { Self.name($0, style) }
        let nameWidth = names.map(displayWidth).max() ?? 0
        let counts = lines.map { grouped($0.notifications) }
        let countWidth = counts.map(\.count).max() ?? 0
        let barWidth = max(0, min(44, (style.width ?? 100) - nameWidth - countWidth - 16))
        let largest = lines.map(\.notifications).max() ?? 0
        return lines.indices.map { position in
            let line = lines[position]
            let bar = Bar.text(line.notifications, of: largest, width: barWidth, style)
            let share = Proportion(line.notifications, of: count).value.map { "\(percent($0)) %" } ?? ""
            return [
                "  ", String(repeating: " ", count: nameWidth - displayWidth(names[position])),
                names[position],
                "  ", style.paint(bar, ink),
                String(
                    repeating: " ",
                    count: barWidth - displayWidth(bar) + 2 + countWidth - counts[position].count),
                counts[position], String(repeating: " ", count: max(2, 10 - share.count)), share,
            ].joined()
        }
    }

    /// `1.2 s – 4 min 10 s`
    static func name(_ line: Line, _ style: OutputStyle) -> String {
        let from = Span(milliseconds: line.from).roundedWords
        guard let to = line.to else { return "\(from) and more" }
        return "\(line.from == 0 ? "0" : from) \(style.dash) \(Span(milliseconds: to).roundedWords)"
    }
}
