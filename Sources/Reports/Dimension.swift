/// What a report can be broken down by. The raw value is what people type after `--by` and the key in JSON.
public enum Dimension: String, CaseIterable, Sendable {
    case hour
    case day
    /// Monday to Sunday, under the date of its Monday.
    case week
    /// Under the date of its first day.
    case month
    case campaign
    case variant

    /// True for spans of local time. A report is broken down by at most one of them: an hour lies in one day.
    public var isPeriod: Bool {
        switch self {
        case .hour, .day, .week, .month: true
        case .campaign, .variant: false
        }
    }

    /// Reads `day`, or a list with commas, `day,campaign`, as often as it was given.
    ///
    /// - Throws: ``ReportError/unknownDimension(_:)``, ``ReportError/tooManyDimensions(_:)``.
    public static func list(_ texts: [String]) throws(ReportError) -> [Dimension] {
        var dimensions: [Dimension] = []
        for name in texts.flatMap({ $0.split(separator: ",") }) {
            guard let dimension = Dimension(rawValue: name.lowercased()) else {
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
