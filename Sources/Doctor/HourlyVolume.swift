internal import DeliveryModel
internal import PostgresClient

/// The volume by hour, of the last hours and of the same hours of past weeks.
struct HourlyVolume: Hashable {
    /// The volume within a span.
    struct Amount: Hashable, Decodable {
        var attempted: Int64 = 0
        var accepted: Int64 = 0
        var arrived: Int64 = 0
        /// Reportable notifications that were presented, clicked or dismissed.
        var responded: Int64 = 0
        /// Seen on a device, without a response.
        var unmatched: Int64 = 0
        /// Posted items, by the time of receipt.
        var received: Int64 = 0

        static func += (left: inout Amount, right: Amount) {
            left.attempted += right.attempted
            left.accepted += right.accepted
            left.arrived += right.arrived
            left.responded += right.responded
            left.unmatched += right.unmatched
            left.received += right.received
        }
    }

    /// The amounts by the start of the hour; empty hours are omitted.
    var amounts: [Instant: Amount]

    func amount(in span: Range<Instant>) -> Amount {
        var sum = Amount()
        var hour = span.lowerBound
        while hour < span.upperBound {
            if let amount = amounts[hour] { sum += amount }
            hour = hour + .hours(1)
        }
        return sum
    }

    /// The last hours, and the same hours of past weeks with an hour more at either end; latest first.
    static func spans(_ examination: Examination) -> [Range<Instant>] {
        let end = examination.lastHourEnd
        let start = end - .hours(examination.hours + 1)
        return [start..<end]
            + (1...DoctorRules.weeks).map { week in
                (start - .days(7 * week))..<(end + .hours(1) - .days(7 * week))
            }
    }

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> HourlyVolume {
        let spans = Self.spans(examination)
        let rows = try connection.query(
            .Doctor.hourlyVolume,
            [
                .value(examination.app.appID), .array(spans.map(\.lowerBound)),
                .array(spans.map(\.upperBound)), .value(DeliveryState.local.rawValue),
            ])
        var volume = HourlyVolume(amounts: [:])
        for row in rows { volume.amounts[try row.get("hour")] = try row.decode(Amount.self) }
        return volume
    }

    /// The number of past weeks back to the earliest one with any pushes.
    func knownWeeks(_ examination: Examination) -> Int64 {
        let spans = Self.spans(examination)
        return (1...DoctorRules.weeks).last { amount(in: spans[Int($0)]).attempted > 0 } ?? 0
    }

    /// The volume in the same span of each known week. If the span an hour earlier or later had
    /// less, that counts instead: clocks change, and a campaign may be late.
    func past(_ span: Range<Instant>, weeks: Int64, _ value: (Amount) -> Int64) -> [Int64] {
        guard weeks > 0 else { return [] }
        return (1...weeks).map { week in
            (-1...1).map { (shift: Int64) in
                let moved = Span.hours(shift - 7 * 24 * week)
                return value(amount(in: (span.lowerBound + moved)..<(span.upperBound + moved)))
            }.min() ?? 0
        }
    }
}
