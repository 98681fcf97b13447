public import Basics

/// A number in reports, in words: an entry of the glossary in docs/metrics.md and `landfall explain metric`.
public struct Metric: Hashable, Sendable {
    /// The parts of the glossary, in order.
    public enum Chapter: String, CaseIterable, Sendable {
        case milestones = "Milestones of a notification"
        case rejections = "Rejections"
        case losses = "Losses and receipts"
        case rates = "Rates"
        case latency = "Latency"
        case reach = "Reach"
        case permissions = "Permissions"
        case intake = "Not in the totals"
    }

    public enum Unit: String, Sendable {
        /// One push to one target.
        case notifications
        /// An app on a device.
        case installations
        /// A fraction of 1, with numerator, denominator and Wilson's interval at 95 %.
        case share
        case milliseconds
    }

    /// The meaning of an increase.
    public enum Rise: Sendable {
        case good
        case bad
        case neither
    }

    /// The key in JSON and CSV.
    public let id: String
    public let chapter: Chapter
    public let unit: Unit
    /// The formula, from other ids if possible.
    public let formula: String
    public let meaning: String
    /// The limits of what the number says.
    public let caveats: [String]
    /// The names of the same, or the nearest, number in other systems.
    public let elsewhere: [Elsewhere]
    public let rise: Rise

    public struct Elsewhere: Hashable, Sendable {
        public let system: String
        public let name: String

        init(_ system: String, _ name: String) {
            self.system = system
            self.name = name
        }
    }

    init(
        _ id: String, _ chapter: Chapter, _ unit: Unit = .notifications, formula: String, _ meaning: String,
        caveats: [String] = [], elsewhere: [Elsewhere] = [], rise: Rise = .neither
    ) {
        self.id = id
        self.chapter = chapter
        self.unit = unit
        self.formula = formula
        self.meaning = meaning
        self.caveats = caveats
        self.elsewhere = elsewhere
        self.rise = rise
    }

    /// All metrics, in the order of the glossary.
    public static let all =
        milestones + rejections + losses + rates + latency + reach + permissions + optOuts + intake

    /// The meaning of an increase of the number with this id; `neither` if it is not in the glossary.
    public static func rise(of id: String) -> Rise { all.first { $0.id == id }?.rise ?? .neither }

    /// The meaning of a name.
    public enum Meaning: Hashable, Sendable {
        case metric(Metric)
        case term(MarketTerm)
    }

    /// The number with this id, or what other systems call by this name.
    ///
    /// - Throws: ``ReportError/unknownMetric(_:closest:)``.
    public static func named(_ name: String) throws -> Meaning {
        let id = name.lowercased().replacing("-", with: "_").replacing(" ", with: "_")
        if let metric = all.first(where: { $0.id == id }) { return .metric(metric) }
        if let term = MarketTerm.named(name) { return .term(term) }
        let terms = MarketTerm.all.flatMap(\.names)
        let closest =
            closestName(to: id, among: all.map(\.id)) ?? closestName(to: name.lowercased(), among: terms)
        throw ReportError.unknownMetric(name, closest: closest)
    }
}

extension Metric {
    public var document: JSONValue {
        [
            "id": .string(id), "chapter": .string(chapter.rawValue), "unit": .string(unit.rawValue),
            "formula": .string(formula), "meaning": .string(meaning),
            "caveats": .array(caveats.map(JSONValue.string)),
            "elsewhere": .array(
                elsewhere.map { ["system": .string($0.system), "name": .string($0.name)] }),
        ]
    }
}
