public import Access
public import Instants

/// What the doctor is asked: about which app, as of when, how far back.
public struct Examination: Hashable, Sendable {
    public let app: App
    public let asOf: Instant
    /// How many hours are looked at.
    public let hours: Int64
    public let rules: DoctorRules
    /// Whether `asOf` was named. What was sent before it is looked at, with all that is known of it today.
    public let isPast: Bool

    /// Fewer than a week, so that the same hours of the weeks before are others.
    public static let mostHours: Int64 = 144

    public init(
        app: App, asOf: Instant, hours: Int64 = 24, rules: DoctorRules = DoctorRules(), isPast: Bool = false
    ) {
        self.app = app
        self.asOf = asOf
        self.hours = min(max(hours, 1), Self.mostHours)
        self.rules = rules
        self.isPast = isPast
    }

    /// The last hours, with the quarter hour that has not ended yet: a sender that is being connected looks at once.
    public var recent: Range<Instant> {
        let end = (asOf + .minutes(15) - Span(milliseconds: 1)).startOfQuarter
        return (end - .hours(hours))..<end
    }

    /// The same up to now, for words: nothing has been looked at that has not been yet.
    var looked: Range<Instant> { recent.lowerBound..<min(recent.upperBound, asOf) }

    /// The same without the last hour: of what was sent before it, most arrivals and answers have come in.
    var settled: Range<Instant> {
        recent.lowerBound..<max(recent.lowerBound + .minutes(15), asOf.startOfQuarter - .hours(1))
    }

    /// What the last hours are compared with.
    var weekBefore: Range<Instant> { (recent.lowerBound - .days(7))..<recent.lowerBound }

    /// The start of the hour that has not ended yet.
    var lastHourEnd: Instant { asOf.startOfHour }

    /// `landfall funnel --app shop --from 24h …`: what shows more about these hours.
    func command(_ words: String..., options: [String] = []) -> [String] {
        ["landfall"] + words + ["--app", app.slug] + window + options
    }

    private var window: [String] {
        guard isPast else { return ["--from", "\(hours)h"] }
        return ["--from", recent.lowerBound.toTheMinute, "--to", recent.upperBound.toTheMinute]
    }

    /// The same for commands that do not ask for a window.
    func commandWithoutWindow(_ words: String..., options: [String] = []) -> [String] {
        ["landfall"] + words + ["--app", app.slug] + options
    }
}

extension Instant {
    /// `2026-03-01T09:30:00Z`, for options.
    fileprivate var toTheMinute: String { ReportTimeZone.utc.rfc3339(self).replacing("+00:00", with: "Z") }
}
