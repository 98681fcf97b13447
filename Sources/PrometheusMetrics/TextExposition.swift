/// The text exposition format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
public enum TextExposition {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(of families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.series.isEmpty {
            text += "# HELP \(family.name) \(escapedHelp(family.help))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for (labels, instrument) in family.series.sorted(by: { $0.key.text() < $1.key.text() }) {
                append(instrument, labels, family.name, to: &text)
            }
        }
        return text
    }

    private static func append(
        _ instrument: MetricFamily.Instrument, _ labels: Labels, _ name: String, to text: inout String
    ) {
        switch instrument {
        case .counter(let counter): text += "\(name)\(labels.text()) \(counter.value)\n"
        case .fractionCounter(let counter): text += "\(name)\(labels.text()) \(number(counter.value))\n"
        case .gauge(let gauge): text += "\(name)\(labels.text()) \(number(gauge.value))\n"
        case .histogram(let histogram): append(histogram, labels, name, to: &text)
        }
    }

    /// Buckets are cumulative; the infinite one is the count.
    private static func append(
        _ histogram: HistogramInstrument, _ labels: Labels, _ name: String, to text: inout String
    ) {
        let reading = histogram.reading
        var count: UInt64 = 0
        for (bound, added) in zip(histogram.bounds.map(number) + ["+Inf"], reading.counts) {
            count += added
            text += "\(name)_bucket\(labels.text(and: ("le", bound))) \(count)\n"
        }
        text += "\(name)_sum\(labels.text()) \(number(reading.sum))\n"
        text += "\(name)_count\(labels.text()) \(count)\n"
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
