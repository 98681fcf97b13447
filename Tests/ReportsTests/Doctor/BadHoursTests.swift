import DeliveryModel
import Testing

@testable import Doctor

/// Bad hours, and the course after them.
@Suite("Bad hours") struct BadHoursTests {
    private let end = instant("2026-03-15T19:00:00Z")

    /// `(hoursAgo, bad, of)`
    private func hours(_ hours: [(Int64, Int64, Int64)], least: Int64 = 0) -> BadHours? {
        BadHours.latest(
            of: hours.map { .init(start: end - .hours($0.0), share: Proportion($0.1, of: $0.2)) },
            enough: 30,
            isBad: { $0.value ?? 0 >= 0.5 }, isSure: { $0.judged.numerator >= least })
    }

    @Test("do not exist if all is well or nothing was sent")
    func none() {
        #expect(hours([]) == nil)
        #expect(hours([(3, 0, 0)]) == nil)
        #expect(hours([(3, 10, 100), (2, 49, 100), (1, 0, 500)]) == nil)
    }

    @Test("begin and end with hours that are bad themselves, in any order of input")
    func ends() throws {
        let found = try #require(hours([(1, 1, 90), (5, 0, 20), (4, 80, 80), (3, 70, 90), (6, 0, 100)]))
        #expect(found.first == end - .hours(4))
        #expect(found.last == end - .hours(3))
        #expect(found.bad == Proportion(150, of: 170))
        #expect(found.after == Proportion(1, of: 90))
    }

    @Test("judge a few pushes together with those of the hours before them, and never without")
    func stretches() throws {
        // 25 bad pushes in the hours before say more than 5 good ones in the latest hour.
        let found = try #require(hours([(4, 0, 500), (3, 20, 20), (2, 5, 5), (1, 0, 5)]))
        #expect(found.bad == Proportion(25, of: 25))
        #expect(found.after == Proportion(0, of: 5))
        // A remainder at the beginning is no stretch of its own.
        #expect(hours([(9, 6, 6), (1, 0, 40)]) == nil)
        #expect(try #require(hours([(9, 6, 6)])).judged == Proportion(6, of: 6))
    }

    @Test("are the latest run of them: good hours in between are not reported as bad")
    func runs() throws {
        let good = (2..<17).map { (Int64($0), Int64(0), Int64(340)) }
        let found = try #require(hours([(17, 30, 30)] + good + [(1, 30, 30)]))
        #expect(found.bad == Proportion(30, of: 30))
        #expect(found.hours == [end - .hours(1)])
        // An hour without pushes interrupts nothing.
        let quiet = try #require(hours([(9, 30, 30), (1, 30, 30)]))
        #expect(quiet.bad == Proportion(60, of: 60))
    }

    @Test("must be significant within their run: runs that may be chance are no finding together")
    func sureness() throws {
        let apart: [(Int64, Int64, Int64)] = [(5, 40, 60), (4, 0, 60), (3, 40, 60), (2, 0, 60), (1, 40, 60)]
        #expect(hours(apart, least: 41) == nil)
        let together: [(Int64, Int64, Int64)] = [(5, 40, 60), (4, 40, 60), (3, 0, 60), (1, 40, 60)]
        let found = try #require(hours(together, least: 41))
        #expect(found.hours == [end - .hours(5), end - .hours(4)])
        #expect(found.after == Proportion(40, of: 120))
        #expect(found.hoursAfter == [end - .hours(3), end - .hours(1)])
    }

    @Test("begin and end within the examined hours")
    func span() throws {
        let found = try #require(hours([(2, 30, 30), (1, 30, 30)]))
        let looked = (end - .minutes(105))..<(end - .minutes(30))
        #expect(found.span(within: looked) == looked)
        #expect(found.words(within: looked) == "from 2026-03-15 17:15 to 18:30 UTC")
        let day = (end - .days(1))..<end
        #expect(found.span(within: day) == (end - .hours(2))..<end)
    }

    @Test(
        "continue until enough good pushes have been sent, or none at all",
        arguments: [
            (Proportion(0, of: 29), 5, true, Course.tooLittleSince),
            (Proportion(0, of: 30), 5, true, .isOver),
            // None of these hours is bad by itself, and together they are not good.
            (Proportion(14, of: 30), 5, false, .goesOn), (Proportion(12, of: 29), 5, false, .goesOn),
            (Proportion(0, of: 0), 5, true, .nothingSince), (Proportion(0, of: 0), 1, true, .nothingSince),
            // The hour in which something could have been sent is not over.
            (Proportion(0, of: 0), 0, true, .goesOn),
        ] as [(Proportion, Int64, Bool, Course)])
    func course(after: Proportion, hoursSince: Int64, isWell: Bool, expected: Course) {
        let until = end + .hours(hoursSince)
        #expect(Course(since: end, after, enough: 30, until: until, isWell: isWell) == expected)
    }

    @Test("state what followed if it is no clear end")
    func sentences() {
        #expect(
            Course.tooLittleSince.sentence(Proportion(0, of: 29), "were rejected")
                == "Too little has been sent since to tell whether it is over: 0 of 29 pushes (0.0 %) were rejected."
        )
        #expect(
            Course.goesOn.sentence(Proportion(14, of: 30), "were rejected")
                == "It is ongoing: since then 14 of 30 pushes (46.7 %) were rejected.")
        #expect(Course.goesOn.sentence(.nothing, "were rejected") == "It is ongoing.")
    }
}
