/// The change of a number compared with the one next to it.
enum DayChange {
    /// `▲ 11.7 %`, `▼ 3.2 %`, `= 0.0 %`; a dash if the number before was 0.
    static func text(from before: Int64, to now: Int64, _ style: OutputStyle) -> String {
        guard before > 0 else { return style.nothing }
        let change = Double(now - before) / Double(before)
        let size = "\(percent(abs(change))) %"
        if now == before { return "= \(size)" }
        return "\(style.arrow(up: now > before)) \(size)"
    }
}
