/// A bar as long as a fraction of its full width.
enum Bar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Blocks of eighths of a column, or `#` in ASCII. What is not 0 is visible, however small. Not padded.
    ///
    /// - Parameter fraction: of the full width; below 0 and above 1 are cut off.
    static func text(_ fraction: Double, width: Int, _ style: OutputStyle) -> String {
        let fraction = min(max(fraction, 0), 1)
        guard fraction > 0, width > 0 else { return "" }
        guard style.usesUnicode else {
            return String(repeating: "#", count: max(1, Int((fraction * Double(width)).rounded())))
        }
        let (full, rest) = max(1, Int((fraction * Double(width) * 8).rounded())).quotientAndRemainder(
            dividingBy: 8)
        return String(repeating: "█", count: full) + (rest == 0 ? "" : String(eighths[rest - 1]))
    }

    /// The same for a part of a whole; no bar when there is no whole.
    static func text(_ part: Int64, of whole: Int64, width: Int, _ style: OutputStyle) -> String {
        guard whole > 0 else { return "" }
        return text(Double(part) / Double(whole), width: width, style)
    }
}
