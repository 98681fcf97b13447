import DeliveryModel
import Testing

@testable import Maintenance

@Suite struct RetentionDecisionTests {
    private let today = Instant(millisecondsSinceEpoch: 1_790_000_000_000).startOfUTCDay

    /// - Parameters:
    ///   - days: the days with notifications, as numbers of days before today.
    ///   - ahead: how many days PostgreSQL's clock is ahead.
    private func decide(
        _ days: ClosedRange<Int64>, ahead: Int64 = 0, wanted: Int64, stored: Int64?
    ) -> RetentionDecision {
        RetentionDecision(
            now: today + .days(ahead) + .hours(12), occupied: days.reversed().map { today - .days($0) },
            wanted: .days(wanted), stored: stored.map(Span.days))
    }

    @Test("day after day one day is dropped, and nothing is held")
    func usual() {
        let decision = decide(0...401, wanted: 400, stored: 400)
        #expect(decision.keptFrom == today - .days(400))
        #expect(decision.hold == nil)
    }

    @Test("seven days at once are dropped, eight are held")
    func atOnce() {
        #expect(decide(0...407, wanted: 400, stored: 400).keptFrom == today - .days(400))
        let decision = decide(0...408, wanted: 400, stored: 400)
        #expect(decision.keptFrom == nil)
        #expect(decision.hold?.reasons == [.manyDays])
        #expect(decision.hold?.dayCount == 8)
        #expect(decision.hold?.lastDay == today - .days(401))
    }

    @Test("a database without notifications has nothing to hold")
    func empty() {
        let decision = RetentionDecision(now: today, occupied: [], wanted: .days(4), stored: nil)
        #expect(decision.keptFrom == today - .days(5))
        #expect(decision.hold == nil)
    }

    @Test("if PostgreSQL's clock is ahead, the newest notification decides", arguments: [8, 600])
    func clockAhead(days: Int64) {
        let decision = decide(0...400, ahead: days, wanted: 400, stored: 400)
        #expect(decision.keptFrom == today - .days(400))
        #expect(decision.hold?.reasons == [.oldNotifications])
        #expect(decision.hold?.dayCount == min(days, 401))
        #expect(decision.hold?.newestDay == today)
    }

    @Test("a quiet week is not held; what follows it is dropped as always")
    func quiet() {
        #expect(decide(0...400, ahead: 7, wanted: 400, stored: 400).hold == nil)
        let later = decide(-7...400, ahead: 7, wanted: 400, stored: 400)
        #expect(later.keptFrom == today - .days(393))
        #expect(later.hold == nil)
    }

    @Test("a retention shorter than the stored one drops nothing more, however few days that would be")
    func shorter() {
        for wanted in [Int64(4), 399] {
            let decision = decide(0...400, wanted: wanted, stored: 400)
            #expect(decision.keptFrom == today - .days(400))
            #expect(decision.hold?.reasons == [.shorterRetention])
            #expect(decision.hold?.dayCount == 400 - wanted)
        }
        #expect(decide(0...2, wanted: 4, stored: 400).hold?.dayCount == 0)
    }

    @Test("a retention longer than the stored one applies at once")
    func longer() {
        let decision = decide(0...450, wanted: 500, stored: 400)
        #expect(decision.keptFrom == today - .days(500))
        #expect(decision.hold == nil)
    }
}
