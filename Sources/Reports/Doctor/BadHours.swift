internal import DeliveryModel

/// The hours of one group of pushes in which too many of them were bad, and what was sent afterwards.
///
/// Hours with few pushes are judged together with those before them, until there are enough: a build that gets two pushes an
/// hour and a campaign in the evening has stretches of hours, not hours.
struct BadHours: Hashable {
    /// What was sent within an hour, and how much of it counts.
    struct Hour: Hashable {
        let start: Instant
        let share: Proportion
    }

    /// All of the bad stretches: what a verdict goes by.
    let judged: Proportion
    /// The same from the first to the last hour that is bad itself: what is told.
    let bad: Proportion
    /// The starts of these hours, ascending; never empty.
    let hours: [Instant]
    /// Of the hours after the last bad one.
    let after: Proportion

    /// Nil where no stretch is bad.
    ///
    /// - Parameters:
    ///   - hours: of one group, in any order.
    ///   - enough: so many pushes can be judged.
    init?(_ hours: [Hour], enough: Int64, isBad: (Proportion) -> Bool) {
        let hours = hours.filter { $0.share.denominator > 0 }.sorted { $0.start < $1.start }
        let stretches = Self.stretches(hours, enough: enough)
            .filter { isBad($0.map(\.share).sum) }
        let inBadStretches = stretches.flatMap { $0 }
        guard let first = inBadStretches.firstIndex(where: { isBad($0.share) }),
            let last = inBadStretches.lastIndex(where: { isBad($0.share) })
        else { return nil }
        let told = inBadStretches[first...last]
        judged = inBadStretches.map(\.share).sum
        bad = told.map(\.share).sum
        self.hours = told.map(\.start)
        after = hours.filter { $0.start > inBadStretches[last].start }.map(\.share).sum
    }

    var first: Instant { hours[0] }
    var last: Instant { hours[hours.count - 1] }

    /// Cut from the latest hour backwards, so that what is now is not mixed with more of the past than it takes; in the order
    /// of time. What is left at the beginning belongs to the stretch after it.
    private static func stretches(_ hours: [Hour], enough: Int64) -> [[Hour]] {
        var stretches: [[Hour]] = []
        var stretch: [Hour] = []
        for hour in hours.reversed() {
            stretch.insert(hour, at: 0)
            guard stretch.map(\.share).sum.denominator >= enough else { continue }
            stretches.insert(stretch, at: 0)
            stretch = []
        }
        guard let earliest = stretches.first else { return stretch.isEmpty ? [] : [stretch] }
        stretches[0] = stretch + earliest
        return stretches
    }

    func course(enough: Int64, until: Instant) -> Course {
        Course(since: last + .hours(1), after, enough: enough, until: until)
    }

    /// `from 2026-03-15 14:00 UTC to 2026-03-15 20:00 UTC`.
    func words(until: Instant) -> String { Words.span(first, min(last + .hours(1), until)) }

    func evidence(_ course: Course, until: Instant) -> [JSONValue.Member] {
        [
            .init("from", .string(first.rfc3339)),
            .init("to", .string(min(last + .hours(1), until).rfc3339)),
            .init("course", .string(course.rawValue)),
        ]
    }
}
