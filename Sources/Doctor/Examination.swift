public import DeliveryModel
internal import Reports

/// An examination by the doctor: of which app, as of when, and how far back.
public struct Examination: Hashable, Sendable {
    public let app: App
    public let asOf: Instant
    /// The number of hours to examine.
    public let hours: Int64
    public let rules: DoctorRules
    /// Whether `asOf` was given explicitly. Pushes sent before it are examined with all that is known today.
    public let isPast: Bool
    /// The bytes that are free on the disk of the database; `nil` if unknown: PostgreSQL does not say.
    public let freeBytes: Int64?

    /// Less than a week, so that they do not overlap with the same hours of earlier weeks.
    public static let mostHours: Int64 = 144

    public init(
        app: App, asOf: Instant, hours: Int64 = 24, rules: DoctorRules = DoctorRules(), isPast: Bool = false,
        freeBytes: Int64? = nil
    ) {
        self.app = app
        self.asOf = asOf
        self.hours = min(max(hours, 1), Self.mostHours)
        self.rules = rules
        (self.isPast, self.freeBytes) = (isPast, freeBytes)
    }

    /// The last hours, including the current quarter hour: a person who connects a sender looks at once.
    public var recent: Range<Instant> {
        let end = (asOf + .minutes(15) - Span(milliseconds: 1)).startOfQuarter
        return (end - .hours(hours))..<end
    }

    /// The hours up to now, for sentences: what is still to come has not been examined.
    var looked: Range<Instant> { recent.lowerBound..<min(recent.upperBound, asOf) }

    /// The hours without the last one: for pushes sent before it, most arrivals and responses have come in.
    var settled: Range<Instant> {
        recent.lowerBound..<max(recent.lowerBound + .minutes(15), asOf.startOfQuarter - .hours(1))
    }

    /// The week that the last hours are compared with.
    var weekBefore: Range<Instant> { (recent.lowerBound - .days(7))..<recent.lowerBound }

    /// The start of the hour that has not ended yet.
    var lastHourEnd: Instant { asOf.startOfHour }

    /// The last hours as whole hours of the clock, for what is counted by hour.
    var wholeHours: Range<Instant> { recent.lowerBound.startOfHour..<(lastHourEnd + .hours(1)) }

    /// The command that shows more about these hours: `landfall funnel --app shop --from 24h …`.
    func command(_ words: String..., options: [String] = []) -> [String] {
        ["landfall"] + words + ["--app", app.slug] + window + options
    }

    private var window: [String] {
        guard isPast else { return ["--from", "\(hours)h"] }
        return ["--from", recent.lowerBound.toTheMinute, "--to", recent.upperBound.toTheMinute]
    }

    func commandWithoutWindow(_ words: String..., options: [String] = []) -> [String] {
        ["landfall"] + words + ["--app", app.slug] + options
    }
}

extension Instant {
    /// `2026-03-01T09:30:00Z`, for options.
    fileprivate var toTheMinute: String { ReportTimeZone.utc.rfc3339(self).replacing("+00:00", with: "Z") }
}
