internal import Basics
internal import Reports

/// The periods of a window: the places of a chart over time, also for periods in which nothing was sent.
struct TimeAxis {
    let period: Dimension
    /// As in ``RowKey/Part``, in chronological order.
    let values: [String]
    /// The full names, shown on hover.
    let names: [String]
    /// The position of the period of an instant.
    private let position: (Instant) -> Int?

    private static let mostPeriods = 1_500
    private static let labelCounts = 4...8

    /// `nil` if there are fewer than two periods, or too many to draw.
    init?(_ period: Dimension, _ values: [String], position: @escaping (Instant) -> Int?) {
        guard values.count > 1, values.count <= Self.mostPeriods else { return nil }
        self.period = period
        self.values = values
        self.position = position
        names = values.map { RowKey.Part(period, $0).text }
    }

    /// The periods of a report up to the instant at which it was read.
    init?(_ frame: ReportFrame, _ period: Dimension) {
        let (window, zone) = (frame.query.window, frame.query.timeZone)
        self.init(period, PeriodAxis.values(of: period, in: window, zone, asOf: frame.asOf)) { instant in
            guard instant >= window.from, instant < window.to, instant <= frame.asOf else { return nil }
            let moment = Span(milliseconds: 1)
            return PeriodAxis.values(of: period, in: window, zone, asOf: instant + moment).count - 1
        }
    }

    /// The middle of the period of an instant, as a fraction of the width; `nil` if it is outside the axis.
    func place(of instant: Instant) -> Double? {
        position(instant).map { (Double($0) + 0.5) / Double(values.count) }
    }

    /// Short names of periods at round times: midnights, Mondays, first days of months; `nil` for others.
    var labels: [String?] {
        let shown = Set(labeled)
        return values.indices.map { shown.contains($0) ? Self.label(values[$0], period) : nil }
    }

    /// Whether a period may have a label, from many to few.
    private var choices: [(_ position: Int, _ value: String) -> Bool] {
        switch period {
        case .hour:
            [1, 2, 3, 6, 12, 24].map { step in
                { $1.dropFirst(14).hasPrefix("00") && (Int($1.dropFirst(11).prefix(2)) ?? 0) % step == 0 }
            }
        case .day:
            [
                { _, _ in true }, { position, _ in position % 2 == 0 },
                { RowKey.Part(.day, $1).text.hasPrefix("Mon") }, { $1.hasSuffix("-01") },
            ]
        default: [{ _, _ in true }]
        }
    }

    private var labeled: [Int] {
        let places = choices.map { choice in
            values.indices.filter { choice($0, values[$0]) }
        }
        if let few = places.first(where: { Self.labelCounts.contains($0.count) }) { return few }
        let many = places.last { $0.count > Self.labelCounts.upperBound } ?? places[0]
        let step = (many.count + Self.labelCounts.upperBound - 1) / Self.labelCounts.upperBound
        return many.indices.filter { $0 % step == 0 }.map { many[$0] }
    }

    /// The shortest name of a period: `Mar 1`, `14:00`, `2026-03`.
    static func label(_ value: String, _ period: Dimension) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard period != .month, let month = Int(value.dropFirst(5).prefix(2)), (1...12).contains(month),
            let day = Int(value.dropFirst(8).prefix(2))
        else { return String(value.prefix(7)) }
        let date = "\(months[month - 1]) \(day)"
        guard period == .hour else { return date }
        let clock = value.dropFirst(11).prefix(5)
        return clock == "00:00" ? date : String(clock)
    }
}
