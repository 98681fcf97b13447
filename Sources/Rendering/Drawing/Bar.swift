/// A bar with the length of a fraction of its full width.
package enum Bar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Blocks of eighths of a column, or `#` in ASCII. Any fraction above 0 is visible. The text is not padded.
    ///
    /// - Parameter fraction: of the full width; limited to 0 through 1.
    package static func text(_ fraction: Double, width: Int, _ style: OutputStyle) -> String {
        let fraction = min(max(fraction, 0), 1)
        guard fraction > 0, width > 0 else { return "" }
        guard style.usesUnicode else {
            return String(repeating: "#", count: max(1, Int((fraction * Double(width)).rounded())))
        }
        let (full, rest) = max(1, Int((fraction * Double(width) * 8).rounded())).quotientAndRemainder(
            dividingBy: 8)
        return String(repeating: "█", count: full) + (rest == 0 ? "" : String(eighths[rest - 1]))
    }

    /// The bar for a part of a whole; empty if the whole is 0.
    static func text(_ part: Int64, of whole: Int64, width: Int, _ style: OutputStyle) -> String {
        guard whole > 0 else { return "" }
        return text(Double(part) / Double(whole), width: width, style)
    }
}
