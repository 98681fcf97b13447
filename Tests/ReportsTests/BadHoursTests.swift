import DeliveryModel
import Testing

@testable import Reports

/// Which hours are bad, and what came after them.
@Suite("Bad hours") struct BadHoursTests {
    private let end = instant("2026-03-15T19:00:00Z")

    /// `(hoursAgo, bad, of)`
    private func hours(_ hours: [(Int64, Int64, Int64)]) -> BadHours? {
        BadHours(
            hours.map { .init(start: end - .hours($0.0), share: Proportion($0.1, of: $0.2)) }, enough: 30
        ) { $0.value ?? 0 >= 0.5 }
    }

    @Test("there are none where all is well, or nothing was sent")
    func none() {
        #expect(hours([]) == nil)
        #expect(hours([(3, 0, 0)]) == nil)
        #expect(hours([(3, 10, 100), (2, 49, 100), (1, 0, 500)]) == nil)
    }

    @Test("begin and end with hours that are bad themselves, in whatever order they come")
    func ends() throws {
        let found = try #require(hours([(1, 1, 90), (5, 0, 20), (4, 80, 80), (3, 70, 90), (6, 0, 100)]))
        #expect(found.first == end - .hours(4))
        #expect(found.last == end - .hours(3))
        #expect(found.bad == Proportion(150, of: 170))
        #expect(found.after == Proportion(1, of: 90))
    }

    @Test("few pushes are judged with those of the hours before them, and never without")
    func stretches() throws {
        // 25 bad ones of the last hours say more than 5 good ones of the latest.
        let found = try #require(hours([(4, 0, 500), (3, 20, 20), (2, 5, 5), (1, 0, 5)]))
        #expect(found.bad == Proportion(25, of: 25))
        #expect(found.after == Proportion(0, of: 5))
        // What is left at the beginning is no stretch of its own.
        #expect(hours([(9, 6, 6), (1, 0, 40)]) == nil)
        #expect(try #require(hours([(9, 6, 6)])).judged == Proportion(6, of: 6))
    }

    @Test(
        "trouble goes on until enough has been sent that is well, or nothing is sent at all",
        arguments: [
            (Proportion(0, of: 29), 5, Course.goesOn), (Proportion(0, of: 30), 5, .isOver),
            (Proportion(0, of: 0), 5, .nothingSince), (Proportion(0, of: 0), 1, .nothingSince),
            // The hour has not passed in which something could have been sent.
            (Proportion(0, of: 0), 0, .goesOn),
        ] as [(Proportion, Int64, Course)])
    func course(after: Proportion, hoursSince: Int64, expected: Course) {
        #expect(
            Course(since: end, after, enough: 30, until: end + .hours(hoursSince)) == expected)
    }
}
