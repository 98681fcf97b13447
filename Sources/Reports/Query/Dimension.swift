/// What a report can be broken down by and filtered by. The raw value is what people type after `--by`, the name of the
/// parameter in HTTP, and the key in JSON.
public enum Dimension: String, CaseIterable, Sendable {
    case hour
    case day
    /// Monday to Sunday, under the date of its Monday.
    case week
    /// Under the date of its first day.
    case month
    case campaign
    case variant
    case pushType = "push_type"
    case priority
    case provider
    case environment
    case topic
    case platform
    case appVersion = "app_version"
    case osVersion = "os_version"
    case language
    case permission

    /// True for spans of local time. A report is broken down by at most one of them: an hour lies in one day.
    public var isPeriod: Bool {
        switch self {
        case .hour, .day, .week, .month: true
        default: false
        }
    }

    /// True for what is known about a push and its target when it is sent: the columns of `segment`, which have these
    /// names.
    public var isTrait: Bool {
        !isPeriod && self != .campaign && self != .variant
    }

    /// What a report can be filtered by: all but spans of time, for which it has its window.
    public static let filters = allCases.filter { !$0.isPeriod }

    /// Reads `day`, or a list with commas, `day,campaign`, as often as it was given.
    ///
    /// - Throws: ``ReportError/unknownDimension(_:)``, ``ReportError/tooManyDimensions(_:)``.
    public static func list(_ texts: [String]) throws(ReportError) -> [Dimension] {
        var dimensions: [Dimension] = []
        for name in texts.flatMap({ $0.split(separator: ",") }) {
            let word = name.lowercased().replacing("-", with: "_")
            guard let dimension = Dimension(rawValue: word) else {
                throw .unknownDimension(String(name))
            }
            if !dimensions.contains(dimension) { dimensions.append(dimension) }
        }
        return try checked(dimensions)
    }

    /// At most two, and at most one period.
    static func checked(_ dimensions: [Dimension]) throws(ReportError) -> [Dimension] {
        guard dimensions.count <= 2, dimensions.count(where: \.isPeriod) <= 1 else {
            throw .tooManyDimensions(dimensions)
        }
        return dimensions
    }
}
