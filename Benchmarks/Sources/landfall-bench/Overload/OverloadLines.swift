/// The round in the middle, as text.
struct OverloadLines {
    private let rounds: [OverloadFigures]

    init(_ rounds: [OverloadFigures]) {
        self.rounds = rounds
    }

    var lines: [String] {
        guard let figures = rounds.median else { return [] }
        func rate(_ perSecond: Double) -> String { grouped(Int(perSecond.rounded())) }
        func milliseconds(_ value: Double?) -> String { value.map { decimal($0, 0) } ?? "–" }
        return [
            "Overload: capacity \(rate(figures.capacity)) events/s (p50 "
                + "\(milliseconds(figures.capacityP50Milliseconds)) ms, p99 "
                + "\(milliseconds(figures.capacityP99Milliseconds)) ms); then \(rate(figures.offeredPerSecond)) "
                + "requests/s at a fixed rate for \(decimal(figures.seconds, 0)) s:",
            "  \(rate(figures.acceptedEventsPerSecond)) events/s accepted, p50 "
                + "\(milliseconds(figures.p50Milliseconds)) ms, p99 \(milliseconds(figures.p99Milliseconds)) ms; "
                + "server \(figures.serverPeakMemory.map(mebibytes) ?? "–") MiB; generator "
                + "\(decimal(figures.generatorShare, 2)) of a core.",
            "  Of \(grouped(figures.sent)) requests, \(grouped(figures.accepted)) got 200, "
                + "\(grouped(figures.rejected)) 503 or 429, \(grouped(figures.otherResponses)) otherwise, "
                + "\(grouped(figures.broken)) broke, \(grouped(figures.withoutResponse)) without a response.",
            "  \(grouped(figures.unsent)) more were due while every connection waited for a response, and not sent.",
        ]
    }
}
