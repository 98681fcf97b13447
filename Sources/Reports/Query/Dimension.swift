internal import DeliveryModel

/// A dimension by which a report can be broken down and filtered. The raw value is the word after
/// `--by`, the name of the parameter in HTTP, and the key in JSON.
public enum Dimension: String, CaseIterable, Sendable {
    case hour
    case day
    /// Monday to Sunday, named by the date of its Monday.
    case week
    /// Named by the date of its first day.
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
    case action
    case category
    case appState = "app_state"

    /// Whether this is a span of local time. A report has at most one of them: an hour is in one day.
    public var isPeriod: Bool { [.hour, .day, .week, .month].contains(self) }

    /// Whether this is known of a push and its target at the time of sending: a column of `segment`.
    public var isTrait: Bool { !isPeriod && !isOfClick && !isOfCampaigns }

    public var isOfCampaigns: Bool { self == .campaign || self == .variant }

    /// Whether this is known of a click. Only clicks can be broken down by it.
    public var isOfClick: Bool { [.action, .category, .appState].contains(self) }

    /// Whether a registration says this of its installation.
    public var isOfInstallation: Bool {
        [.platform, .appVersion, .osVersion, .language].contains(self)
    }

    /// The dimensions by which a report can be filtered: all except spans of time, for which it has its
    /// window, and what is known only of clicks.
    public static let filters = allCases.filter { !$0.isPeriod && !$0.isOfClick }

    /// The names of all; for permissions, of those by which that report can be broken down.
    public static func names(of report: String?) -> [String] {
        let known = allCases.filter { $0.isPeriod || $0.isOfInstallation || $0.isOfCampaigns }
        return (report == PermissionsReport.name ? known : allCases).map(\.rawValue)
    }

    /// Reads `day`, or a list with commas, `day,campaign`, from each text.
    ///
    /// - Throws: ``ReportError/unknownDimension(_:of:)``, ``ReportError/senderNotCounted``,
    ///   ``ReportError/tooManyDimensions(_:)``.
    public static func list(_ texts: [String], of report: String? = nil) throws(ReportError) -> [Dimension] {
        var dimensions: [Dimension] = []
        for name in texts.flatMap({ $0.split(separator: ",").map(String.init) }) {
            let word = name.lowercased().replacing("-", with: "_")
            guard word != "sender" else { throw .senderNotCounted }
            guard let dimension = Dimension(rawValue: word) else { throw .unknownDimension(name, of: report) }
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

/// Selects notifications that have one of these values.
public struct ReportFilter: Hashable, Sendable {
    public let dimension: Dimension
    /// The empty string means without a value, or unknown.
    public let values: [String]

    /// - Parameter values: as a person writes them. They are converted to the form that ingestion records.
    public init(_ dimension: Dimension, _ values: [String]) {
        self.dimension = dimension
        self.values = values.map { Self.recorded($0, dimension) }
    }

    private static func recorded(_ value: String, _ dimension: Dimension) -> String {
        switch dimension {
        case .provider: Provider.read(value)?.provider ?? value.canonicalName
        case .environment: Environment(posted: value)?.rawValue ?? value.canonicalName
        case .language: value.canonicalLanguage
        default: value.canonicalName
        }
    }
}

extension [ReportFilter] {
    /// The selected values of a dimension; empty if all are selected.
    public func values(of dimension: Dimension) -> [String] {
        filter { $0.dimension == dimension }.flatMap(\.values)
    }

    /// One filter for each dimension that has values, in the order of `Dimension.allCases`.
    var merged: [ReportFilter] {
        Dimension.filters.map { dimension in
            ReportFilter(dimension, values(of: dimension))
        }.filter { !$0.values.isEmpty }
    }
}
