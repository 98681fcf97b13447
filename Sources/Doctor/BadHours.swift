internal import DeliveryModel
internal import Reports

/// The latest run of hours in which too many pushes of one group were bad, and the pushes sent afterward.
///
/// Hours with few pushes are judged together with those before them, until there are enough: a build that
/// gets two pushes an hour and a campaign in the evening have stretches of hours, not hours. Consecutive bad
/// stretches are a run. Nothing in a run was well enough, so it is reported from its first to its last hour.
struct BadHours: Hashable {
    /// The pushes sent within an hour, and the share of them that is judged.
    struct Hour: Hashable {
        let start: Instant
        let share: Proportion
    }

    /// All stretches of the run; the verdict is based on these.
    let judged: Proportion
    /// The stretches from the first to the last hour that is bad itself; these are what is reported.
    let bad: Proportion
    /// The starts of these hours, ascending; never empty.
    let hours: [Instant]
    /// The share in the hours after the last bad one.
    let after: Proportion
    /// The starts of the hours after the last bad one, ascending.
    let hoursAfter: [Instant]

    /// The latest run that is certainly bad; `nil` if there is none.
    ///
    /// Each run must be certain by itself: together, many stretches that are bad by chance prove anything.
    ///
    /// - Parameters:
    ///   - hours: hours of one group, in any order.
    ///   - enough: the number of pushes from which they can be judged.
    ///   - isSure: whether a run is certain enough for a verdict.
    static func latest(
        of hours: [Hour], enough: Int64, isBad: (Proportion) -> Bool, isSure: (BadHours) -> Bool
    ) -> BadHours? {
        let hours = hours.filter { $0.share.denominator > 0 }.sorted { $0.start < $1.start }
        var runs: [[Hour]] = []
        var isInRun = false
        for stretch in stretches(hours, enough: enough) {
            let wasInRun = isInRun
            isInRun = isBad(stretch.map(\.share).sum)
            guard isInRun else { continue }
            if wasInRun { runs[runs.count - 1] += stretch } else { runs.append(stretch) }
        }
        for run in runs.reversed() {
            if let found = BadHours(run, of: hours, isBad: isBad), isSure(found) { return found }
        }
        return nil
    }

    /// - Parameter all: the hours that contain the run, ascending.
    private init?(_ run: [Hour], of all: [Hour], isBad: (Proportion) -> Bool) {
        guard let first = run.firstIndex(where: { isBad($0.share) }),
            let last = run.lastIndex(where: { isBad($0.share) })
        else { return nil }
        let told = run[first...last]
        let later = all.filter { $0.start > run[last].start }
        judged = run.map(\.share).sum
        bad = told.map(\.share).sum
        hours = told.map(\.start)
        after = later.map(\.share).sum
        hoursAfter = later.map(\.start)
    }

    var first: Instant { hours[0] }
    var last: Instant { hours[hours.count - 1] }

    /// Splits the hours into stretches in chronological order. Cuts from the latest hour backwards, so that
    /// the present is mixed with no more of the past than necessary. Hours left at the beginning belong to
    /// the stretch after them.
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

    /// - Parameter isWell: whether the pushes since then are as they should be.
    func course(enough: Int64, until: Instant, isWell: Bool) -> Course {
        Course(since: last + .hours(1), after, enough: enough, until: until, isWell: isWell)
    }

    /// The span from the first to the last hour, as far as it was examined.
    ///
    /// - Parameter looked: need not begin or end on the hour.
    func span(within looked: Range<Instant>) -> Range<Instant> {
        let start = max(first, looked.lowerBound)
        return start..<max(start, min(last + .hours(1), looked.upperBound))
    }

    /// `from 2026-03-15 14:00 to 20:00 UTC`.
    func words(within looked: Range<Instant>) -> String {
        let span = span(within: looked)
        return Words.span(span.lowerBound, span.upperBound)
    }

    func evidence(_ course: Course, within looked: Range<Instant>) -> [JSONValue.Member] {
        let span = span(within: looked)
        return [
            .init("from", .string(span.lowerBound.rfc3339)), .init("to", .string(span.upperBound.rfc3339)),
            .init("course", .string(course.rawValue)), .init("after", after.json),
        ]
    }
}

/// The course of a problem since its last bad hour.
enum Course: String, Hashable, Sendable {
    case goesOn = "goes_on"
    /// Enough was sent since, and it is as it should be.
    case isOver = "is_over"
    /// The pushes since are no worse than they should be, as far as so few can tell.
    case tooLittleSince = "too_little_since"
    /// Nothing was sent since.
    case nothingSince = "nothing_since"

    /// - Parameters:
    ///   - end: the end of the last bad hour.
    ///   - after: the bad share of the pushes in later hours, none of which is bad itself.
    ///   - enough: the number of pushes from which these can be judged.
    ///   - until: the instant up to which anything can be known.
    ///   - isWell: whether the later pushes are as they should be. Hours that are not bad enough
    ///     one by one may still be far from well.
    init(since end: Instant, _ after: Proportion, enough: Int64, until: Instant, isWell: Bool) {
        if after.denominator == 0 {
            self = end + .hours(1) <= until ? .nothingSince : .goesOn
        } else if !isWell {
            self = .goesOn
        } else {
            self = after.denominator >= enough ? .isOver : .tooLittleSince
        }
    }

    /// - Parameters:
    ///   - after: the bad share of the pushes since.
    ///   - predicate: what happened to these: `were rejected`.
    func sentence(_ after: Proportion, _ predicate: String) -> String {
        let since = "\(after.ofWords) pushes (\(after.percentWords)) \(predicate)."
        return switch self {
        case .goesOn: after.denominator == 0 ? "It is ongoing." : "It is ongoing: since then \(since)"
        case .isOver: "It is over."
        case .tooLittleSince: "Too little has been sent since to tell whether it is over: \(since)"
        case .nothingSince: "Nothing has been sent since."
        }
    }
}
