import Testing

@testable import landfall_bench

@Suite("Open-loop schedule")
struct OpenLoopScheduleTests {
    private let schedule = OpenLoopSchedule(perSecond: 250, seconds: 2)

    @Test("the first request is due at once, the others by the clock, and none after the end")
    func due() {
        #expect(schedule.due(after: -0.001) == 0)
        #expect(schedule.due(after: 0) == 1)
        #expect(schedule.due(after: 0.0039) == 1)
        #expect(schedule.due(after: 0.0041) == 2)
        #expect(schedule.due(after: 1.999) == 500)
        #expect(schedule.due(after: 60) == 500)
    }

    @Test("a request is due right after its instant, however late the clock is read")
    func instants() {
        for number in [0, 1, 249, 499] {
            #expect(schedule.due(after: schedule.instant(of: number) + 1e-9) == number + 1)
        }
    }
}
