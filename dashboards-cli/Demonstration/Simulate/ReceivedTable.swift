internal import Rendering
internal import Reports

/// The server's verdicts on posted traffic, as text.
struct ReceivedTable {
    let counts: ReceivedCounts
    let style: OutputStyle

    init(_ counts: ReceivedCounts, _ style: OutputStyle) {
        self.counts = counts
        self.style = style
    }

    var lines: [String] {
        let remarks = [
            Remark(
                name: "received", value: grouped(counts.received),
                meaning: "events = accepted + duplicates + rejected"),
            Remark(name: "accepted", value: grouped(counts.accepted), meaning: "changed something"),
            Remark(
                name: "duplicates", value: grouped(counts.duplicates),
                meaning: "changed nothing: posted before"),
            Remark(name: "rejected", value: grouped(counts.rejected), meaning: rejections),
            Remark(
                name: "registrations", value: grouped(counts.registrations),
                meaning: "of devices; most register more than once"),
            Remark(
                name: "throttled", value: grouped(counts.throttled),
                meaning: "responses of 429; these requests were repeated"),
        ]
        return [style.paint("What the server returned", .title), ""]
            + Remark.lines(remarks, style, nameWidth: 13)
    }

    private var rejections: String {
        counts.rejections.isEmpty ? "put in quarantine" : ReceivedCounts.inWords(counts.rejections)
    }
}
