internal import DeliveryModel

/// The part of one UTC day that is filled with rows.
struct LoadedDay: Equatable, Sendable {
    let beginning: Instant
    let end: Instant
    let rows: Int

    /// The days from `count` × 24 hours ago until now, in order. The first and last are partial
    /// days. The rows of all days add up to `rows`.
    static func last(_ count: Int, before now: Instant, rows: Int) -> [LoadedDay] {
        let day = Span.days(1).milliseconds
        let (from, to) = ((now - .days(Int64(count))).millisecondsSinceEpoch, now.millisecondsSinceEpoch)
        func rowsUntil(_ instant: Int64) -> Int {
            Int((Double(rows) * Double(instant - from) / Double(to - from)).rounded())
        }
        var days: [LoadedDay] = []
        var beginning = from
        while beginning < to {
            let end = min(to, (beginning / day + 1) * day)
            days.append(
                LoadedDay(
                    beginning: Instant(millisecondsSinceEpoch: beginning),
                    end: Instant(millisecondsSinceEpoch: end), rows: rowsUntil(end) - rowsUntil(beginning)))
            beginning = end
        }
        return days
    }
}
