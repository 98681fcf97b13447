internal import DeliveryModel
internal import Instants
internal import Reports
internal import Wording

/// Bars from the shortest times to the longest; the length of a line's range grows by the same factor from line to line.
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
    /// The share of notifications at each end, one in 500, whose times go into the first and the last line: otherwise they would
    /// stretch the picture out of shape.
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
