/// The text exposition format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
public enum TextExposition {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(of families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.series.isEmpty {
            text += "# HELP \(family.name) \(escapedHelp(family.help))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for (labels, instrument) in family.series.sorted(by: { $0.key.text() < $1.key.text() }) {
                text += instrument.lines(family.name, labels)
            }
        }
        return text
    }

    /// Formats whole numbers without a fraction, so that a bucket is `1` and not `1.0`.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escapedHelp(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }
}
