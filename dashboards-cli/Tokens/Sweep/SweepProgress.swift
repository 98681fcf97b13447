internal import Rendering
internal import Reports

/// The progress of a sweep on one line: a bar, the share, the count, the rate, and the time left.
struct SweepProgress {
    /// Tokens to change when the sweep began; signs of life reduce their number.
    let total: Int64

    private static let barWidth = 24

    func text(_ changed: Int64, after seconds: Double, _ style: OutputStyle) -> String {
        let share = total > 0 ? min(1, Double(changed) / Double(total)) : 1
        let bar = Bar.text(share, width: Self.barWidth, style)
        var facts = ["\(percent(share)) %", "\(grouped(changed)) of \(grouped(total)) tokens"]
        if seconds > 0, changed > 0 {
            let perSecond = Double(changed) / seconds
            facts.append("\(grouped(Int64(perSecond)))/s")
            facts.append("\(Self.clock(Double(max(0, total - changed)) / perSecond)) left")
        }
        return "sweeping  \(style.paint(padded(bar, to: Self.barWidth), .confirmed))  "
            + facts.joined(separator: " \(style.dot) ")
    }

    /// `0:07`, `12:30`, `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int64(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let rest = whole % 60 < 10 ? "0\(whole % 60)" : "\(whole % 60)"
        guard hours > 0 else { return "\(minutes):\(rest)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(rest)"
    }
}
