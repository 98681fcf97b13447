import Basics
import Testing

@testable import Dashboards
@testable import Reports

@Suite("Items per second") struct IntakePaceTests {
    private let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    private func items(_ received: Int64) -> ReceivedItems {
        ReceivedItems(received: received, accepted: received / 2, duplicates: received / 2, rejected: 0)
    }

    @Test("are the growth of counters over the last seconds")
    func rates() throws {
        var pace = IntakePace()
        pace.note(items(1_000), at: start)
        #expect(pace.rates == nil)
        for second in 1...10 {
            pace.note(items(1_000 + Int64(second) * 20), at: start + .seconds(Int64(second)))
        }
        let rates = try #require(pace.rates)
        #expect(rates.received == 20)
        #expect(rates.accepted == 10)
        #expect(pace.steps == [Int64](repeating: 20, count: 10))
        #expect(pace.memory == .seconds(10))
    }

    @Test("start again when counters or clocks go back")
    func back() {
        var pace = IntakePace()
        pace.note(items(1_000), at: start)
        pace.note(items(1_100), at: start + .seconds(2))
        pace.note(items(5), at: start + .seconds(4))
        #expect(pace.rates == nil)
        pace.note(items(9), at: start + .seconds(6))
        #expect(pace.rates?.received == 2)
        pace.note(items(10), at: start)
        #expect(pace.rates == nil)
    }
}
