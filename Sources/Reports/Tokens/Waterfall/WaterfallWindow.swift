public import Basics

/// The periods of a waterfall.
public enum WaterfallStep: String, CaseIterable, Sendable {
    case day
    /// Monday to Sunday.
    case week

    var dimension: Dimension { self == .day ? .day : .week }
}

/// The span of a waterfall and the bounds of its periods: local midnights, and its own beginning and end.
public struct WaterfallWindow: Hashable, Sendable {
    /// `nil` for a single period.
    public let by: WaterfallStep?
    public let timeZone: ReportTimeZone
    /// The latest end of the window: nothing later is known.
    public let asOf: Instant
    /// Ascending; a period ends where the next one begins, and excludes that instant.
    public let bounds: [Instant]

    /// More periods would be of no use.
    public static let mostPeriods = 1_000

    public var from: Instant { bounds[0] }
    public var to: Instant { bounds[bounds.count - 1] }

    /// - Parameters:
    ///   - from: as people type it, see ``WindowBound``; `nil` for 7 local days, or for 8 weeks if `by` is
    ///     week.
    ///   - to: in the same way; `nil` for `asOf`.
    ///   - asOf: the instant from which words such as `7d` count.
    /// - Throws: ``ReportError/unreadableInstant(_:bound:)``, ``ReportError/emptyWindow(from:to:)``,
    ///   ``ReportError/tooManyPeriods(_:)``.
    public init(
        from: String?, to: String?, by: WaterfallStep?, timeZone: ReportTimeZone, asOf: Instant
    ) throws(ReportError) {
        let end = min(try WindowBound.instant(to, as: "to", in: timeZone, now: asOf) ?? asOf, asOf)
        let start =
            try WindowBound.instant(from, as: "from", in: timeZone, now: asOf)
            ?? Self.usualStart(by, timeZone, end - Span(milliseconds: 1))
        guard start < end else { throw .emptyWindow(from: start.rfc3339, to: end.rfc3339) }
        self.by = by
        self.timeZone = timeZone
        self.asOf = asOf
        bounds = try Self.bounds(from: start, to: end, by: by, timeZone)
    }

    private static func usualStart(
        _ by: WaterfallStep?, _ zone: ReportTimeZone, _ last: Instant
    ) -> Instant {
        by == .week
            ? zone.startOfDay(last, plusDays: -zone.daysSinceMonday(last) - 49)
            : zone.startOfDay(last, plusDays: -6)
    }

    private static func bounds(
        from start: Instant, to end: Instant, by: WaterfallStep?, _ zone: ReportTimeZone
    ) throws(ReportError) -> [Instant] {
        guard let by else { return [start, end] }
        var bounds = [start]
        var next = zone.startOfDay(start, plusDays: by == .day ? 1 : 7 - zone.daysSinceMonday(start))
        while next < end {
            bounds.append(next)
            guard bounds.count <= mostPeriods else { throw .tooManyPeriods(mostPeriods) }
            next = zone.startOfDay(next, plusDays: by == .day ? 1 : 7)
        }
        return bounds + [end]
    }

    /// The periods that the window contains only in part, by their dates; none without a breakdown.
    public var cutPeriods: [String] {
        by.map { PeriodAxis.cutShort($0.dimension, from: from, to: to, timeZone) } ?? []
    }

    /// The local date that names a period: its day, or the Monday of its week.
    func name(of start: Instant) -> String {
        let first =
            by == .week ? timeZone.startOfDay(start, plusDays: -timeZone.daysSinceMonday(start)) : start
        return LocalTime(first, utcOffsetMinutes: timeZone.utcOffsetMinutes(at: first)).date
    }
}

extension ReportTimeZone {
    /// 0 on a local Monday, 6 on a Sunday.
    func daysSinceMonday(_ instant: Instant) -> Int {
        let local = instant + .minutes(Int64(utcOffsetMinutes(at: instant)))
        // 1970-01-01 was a Thursday.
        let days = local.startOfUTCDay.millisecondsSinceEpoch / Span.days(1).milliseconds
        return Int(((days + 3) % 7 + 7) % 7)
    }
}
