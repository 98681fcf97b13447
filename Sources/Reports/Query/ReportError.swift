internal import Basics

/// The reasons why there is no report. The caller can correct all of them except ``noApp`` and
/// ``doesNotAddUp(report:place:rule:left:right:)``.
public enum ReportError: Error, Sendable, Equatable {
    case noApp
    /// There are several apps, and none was named.
    case appNotNamed(known: [String])
    case unknownApp(String, known: [String])
    case unknownTimeZone(String, suggestion: String?)
    case unknownDimension(String, of: String? = nil)
    case senderNotCounted
    case unknownMetric(String, closest: String?)
    case unknownSort(String, known: [String])
    case tooManyDimensions([Dimension])
    /// Only clicks can be broken down by this dimension.
    case onlyOfClicks(Dimension, report: String)
    /// Permissions cannot be broken down or filtered by this dimension, or not together with campaigns.
    case notOfInstallations(Dimension)
    /// `bound` is `from` or `to`.
    case unreadableInstant(String, bound: String)
    /// `from` is not before `to`. Both as RFC 3339.
    case emptyWindow(from: String, to: String)
    /// The instant, in RFC 3339, is in the future.
    case futureInstant(String)
    /// More periods than this maximum.
    case tooManyPeriods(Int)
    /// More than this number of keys would have to be read, including those that are not rows.
    case tooManyKeys(Int)
    /// Notifications to be counted were dropped. `keptFrom` is the first local date, or instant, that can be
    /// requested; `isCompared` is true if only the window to compare with begins before it.
    case notificationsDropped(of: String, keptFrom: String, isCompared: Bool)
    /// A number of days until now is requested, of which only `most` are kept.
    case daysDropped(of: String, keptFrom: String, most: Int64)
    /// Counters contradict each other. Nothing is printed, because no one could tell which number is wrong.
    case doesNotAddUp(report: String, place: String, rule: String, left: Int64, right: Int64)

    /// Whether another query could help, as opposed to a fault in the database.
    public var isMistakeInQuestion: Bool {
        switch self {
        case .noApp, .doesNotAddUp: false
        default: true
        }
    }
}

extension ReportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noApp:
            "there is no app yet: landfall app create SLUG creates one"
        case .appNotNamed(let known):
            "there are several apps; specify one of them: \(Self.list(known))"
        case .unknownApp(let slug, let known):
            "there is no app '\(slug)'\(Self.hint(closestName(to: slug, among: known))). Known: \(Self.list(known))"
        case .unknownTimeZone(let name, let suggestion):
            "'\(name)' is not a time zone\(Self.hint(suggestion)). Use an IANA name, such as Europe/Berlin or UTC"
        case .unknownDimension(let name, let report):
            "a report cannot be broken down by '\(name)'"
                + Self.hint(closestName(to: name, among: Dimension.names(of: report)))
                + ". The dimensions are \(Self.list(Dimension.names(of: report)))"
        case .senderNotCounted:
            "reports cannot be filtered or broken down by 'sender': they read counters, and each sender "
                + "would multiply them. Let each sender post campaigns or variants of its own; landfall "
                + "explain token or device lists the pushes of one with --sender"
        case .unknownMetric(let name, let closest):
            "there is no metric '\(name)'\(Self.hint(closest)). landfall explain metric lists all metrics"
        case .unknownSort(let name, let known):
            "rows cannot be sorted by '\(name)'" + Self.hint(closestName(to: name, among: known))
                + ". They can be sorted by \(Self.list(known))"
        case .tooManyDimensions(let dimensions):
            "'\(dimensions.map(\.rawValue).joined(separator: ","))' are too many at once: use at most two, "
                + "and at most one of hour, day, week and month"
        case .onlyOfClicks(let dimension, let report):
            "'\(dimension.rawValue)' is known only of clicks: use it with clicks, not with \(report)"
        case .notOfInstallations(let dimension):
            "permissions cannot be filtered or broken down by '\(dimension.rawValue)' here: use "
                + Self.list(Dimension.allCases.filter(\.isOfInstallation).map(\.rawValue))
                + ", and 'by' also hour, day, week and month; or campaign and variant, for what their pushes changed"
        case .unreadableInstant(let text, let bound):
            "'\(text)' is not valid for '\(bound)': use a local date (2026-03-01), an instant "
                + "(2026-03-01T09:30:00+01:00), the last days or hours (7d, 24h), now, today or yesterday"
        case .emptyWindow(let from, let to):
            "the window is empty: it would begin at \(from) and end before \(to)"
        case .futureInstant(let instant):
            "\(instant) is in the future: a report can be as of now or of the past"
        case .tooManyPeriods(let most):
            "the window has more than \(most) periods: use a shorter one, or divide it by week"
        case .tooManyKeys(let most):
            "there are more than \(most) groups in this breakdown, including those without a rejection, "
                + "whose attempts would have to be counted: narrow the window, filter, or use fewer or "
                + "coarser dimensions"
        case .notificationsDropped(let subject, let keptFrom, let isCompared):
            "\(subject) is counted from the notifications, and those sent before \(keptFrom) were dropped (retention): "
                + (isCompared ? "'compare' can begin" : "'from' can be") + " \(keptFrom) at the earliest"
        case .daysDropped(let subject, let keptFrom, let most):
            "\(subject) are found among the notifications, and those sent before \(keptFrom) were dropped (retention): "
                + (most > 0
                    ? "'days' can be at most \(most)" : "not one whole day of them is left")
        case .doesNotAddUp(let report, let place, let rule, let left, let right):
            "the \(report) report does not add up, so it is not printed. In \(place), \(rule): \(left) against \(right). "
                + (report == TokenWaterfall.name
                    ? "Rows of the token ledger contradict each other"
                    : report == PermissionsReport.name
                        ? "Periods of permissions contradict each other"
                        : "landfall verify shows where the counters differ from the notifications")
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { " (did you mean '\($0)'?)" } ?? ""
    }
}
