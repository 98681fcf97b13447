import DeliveryModel
import Testing

@testable import landfall_bench

@Suite("Loaded days")
struct LoadedDayTests {
    @Test("cover the 30 days before now without a gap, each within one UTC day, with all rows")
    func days() throws {
        let now = Instant(millisecondsSinceEpoch: 1_760_012_345_678)
        let days = LoadedDay.last(30, before: now, rows: 1_000_001)
        #expect(days.count == 31)
        #expect(days.first?.beginning == now - .days(30))
        #expect(days.last?.end == now)
        #expect(days.reduce(0) { $0 + $1.rows } == 1_000_001)
        for (day, next) in zip(days, days.dropFirst()) { #expect(day.end == next.beginning) }
        let length = Span.days(1).milliseconds
        for day in days {
            let last = day.end.millisecondsSinceEpoch - 1
            #expect(day.beginning.millisecondsSinceEpoch / length == last / length)
            #expect(day.rows > 0)
        }
    }

    @Test("have no empty day at midnight")
    func midnight() {
        let now = Instant(millisecondsSinceEpoch: Span.days(20_000).milliseconds)
        let days = LoadedDay.last(30, before: now, rows: 300)
        #expect(days.map(\.rows) == Array(repeating: 10, count: 30))
    }
}
