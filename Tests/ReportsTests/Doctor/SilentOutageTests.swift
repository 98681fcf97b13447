import Basics
import Testing

@testable import Doctor

/// The traffic expected at an hour of the week, and the definition of silence.
@Suite("Silent outages")
struct SilentOutageTests {
    private let now = instant("2026-03-15T19:05:00Z")
    private var examination: Examination { Examination(app: shop, asOf: now) }

    /// A volume of `perHour` pushes in each hour of the last day and of the same hours of `weeks` weeks, a
    /// tenth of them clicked.
    private func volume(weeks: Int64, perHour: Int64) -> HourlyVolume {
        var amounts: [Instant: HourlyVolume.Amount] = [:]
        for week in 0...weeks {
            for hour in -1..<26 as Range<Int64> where week > 0 || hour > 0 {
                let start = instant("2026-03-15T19:00:00Z") - .hours(hour) - .days(7 * week)
                amounts[start] = .init(
                    attempted: perHour, accepted: perHour, arrived: perHour * 8 / 10,
                    responded: perHour / 10, received: perHour * 2)
            }
        }
        return HourlyVolume(amounts: amounts)
    }

    private func change(
        _ volume: HourlyVolume, lastHours: Int64, _ change: (inout HourlyVolume.Amount) -> Void
    ) -> HourlyVolume {
        var volume = volume
        for hour in 1...lastHours {
            let start = instant("2026-03-15T19:00:00Z") - .hours(hour)
            if volume.amounts[start] != nil { change(&volume.amounts[start, default: .init()]) }
        }
        return volume
    }

    private func ids(_ volume: HourlyVolume) -> [Finding.ID] {
        SilentOutage.findings(volume, examination).map(\.id)
    }

    @Test("normal traffic is no finding")
    func asEver() {
        #expect(ids(volume(weeks: 4, perHour: 100)).isEmpty)
    }

    @Test("silence where much is expected is an outage, and its whole length is stated")
    func silence() {
        let silent = change(volume(weeks: 4, perHour: 100), lastHours: 5) { $0 = .init() }
        #expect(ids(silent) == [.silentOutage])
        let finding = SilentOutage.findings(silent, examination).first
        #expect(finding?.sentence.hasPrefix("0 pushes have a response in the last 5 hours") == true)
        #expect(finding?.sentence.contains("the median of 4 weeks is 500") == true)
    }

    @Test("one silent hour, a quiet app, or a single week to compare with is no outage")
    func tooLittle() {
        let full = volume(weeks: 4, perHour: 100)
        #expect(ids(change(full, lastHours: 1) { $0 = .init() }).isEmpty)
        #expect(ids(change(volume(weeks: 4, perHour: 1), lastHours: 24) { $0 = .init() }).isEmpty)
        #expect(ids(change(volume(weeks: 1, perHour: 100), lastHours: 24) { $0 = .init() }).isEmpty)
        #expect(ids(change(full, lastHours: 5) { $0.attempted = 20 }).isEmpty)
    }

    @Test("irregular traffic is not expected, such as a campaign every other week")
    func unsteady() {
        var volume = volume(weeks: 4, perHour: 100)
        for week in [2, 4] as [Int64] {
            for hour in -1..<26 as Range<Int64> {
                volume.amounts[instant("2026-03-15T19:00:00Z") - .hours(hour) - .days(7 * week)] = nil
            }
        }
        #expect(ids(change(volume, lastHours: 24) { $0 = .init() }).isEmpty)
    }

    @Test("a campaign that is an hour late, or whose clocks changed, is no outage")
    func shifted() {
        var volume = HourlyVolume(amounts: [:])
        for week in 1...4 as ClosedRange<Int64> {
            let start = instant("2026-03-15T18:00:00Z") - .days(7 * week)
            volume.amounts[start] = .init(attempted: 5_000, accepted: 5_000)
            volume.amounts[start - .hours(30)] = .init(attempted: 10, accepted: 10)
        }
        #expect(ids(volume).isEmpty)
    }

    @Test("if devices report pushes without a response, the finding is that responses are missing")
    func responses() {
        let silent = change(volume(weeks: 4, perHour: 100), lastHours: 5) {
            $0 = .init(unmatched: 70, received: 80)
        }
        #expect(ids(silent) == [.answersMissing])
    }

    @Test(
        "if devices report nothing, the finding is that arrivals are missing; clicks alone point to an extension"
    )
    func arrivals() {
        let full = volume(weeks: 4, perHour: 100)
        let deaf = change(full, lastHours: 6) {
            $0.arrived = 0
            $0.responded = 0
        }
        #expect(ids(deaf) == [.arrivalsMissing])
        #expect(ids(change(full, lastHours: 6) { $0.arrived = 0 }).isEmpty)
        // The last hour's arrivals may still come.
        let late = change(full, lastHours: 1) {
            $0.arrived = 0
            $0.responded = 0
        }
        #expect(ids(late).isEmpty)
    }
}
