public import DeliveryModel

/// A column of a ``Sheet``: what programs call it, what people call it, and where it appears.
public struct SheetColumn: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case number
        /// Such ids end in `_ms`.
        case milliseconds
        case rate
        case words
        /// Words that may be long.
        case name
        case names
        case instant
        /// An object, an array or a truth value, only for JSON.
        case document

        /// Whether tables align it as a number, and add it up.
        public var isNumber: Bool { [.number, .milliseconds, .rate].contains(self) }
    }

    public struct Places: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The rows of the document.
        public static let rows = Places(rawValue: 1)
        /// The totals of the document.
        public static let totals = Places(rawValue: 2)
        public static let csv = Places(rawValue: 4)
        /// Rows can be sorted by it, and it is compared with other windows.
        public static let figure = Places(rawValue: 8)
        public static let all: Places = [.rows, .totals, .csv, .figure]
        /// Only the table that people read, and only if it names the column.
        public static let nowhere: Places = []
    }

    /// The key in JSON and the column in CSV.
    public let id: String
    /// The heading that people read.
    public var title: String
    public let kind: Kind
    /// The place of the value in a row of the document.
    public var path: [String]
    public var places: Places
    public var ink: Ink?
    /// Whether the document leaves out a count of 0.
    public var omitsZero = false
    /// Whether a rate is shown without its interval.
    public var isPlain = false
    /// A rate has its color only above this.
    public var inkAbove = -1.0

    public init(
        _ id: String, _ kind: Kind = .number, title: String? = nil, at path: [String]? = nil, ink: Ink? = nil,
        in places: Places = .all, isPlain: Bool = false
    ) {
        (self.id, self.kind, self.isPlain) = (id, kind, isPlain)
        self.title = title ?? Self.capitalized(Self.words(id))
        self.path = path ?? [kind == .rate ? "rates" : "counts", id]
        self.ink = ink
        self.places = places
    }

    init(_ measure: Measure, title: String? = nil, in places: Places = .all) {
        self.init(measure.rawValue, title: title, ink: measure.ink, in: places)
        if let rejected = RejectionClass.allCases.first(where: { Measure.rejected($0) == measure }) {
            path = ["counts", "rejected", rejected.rawValue]
            omitsZero = true
        }
    }

    init(_ rate: Rate) {
        self.init(
            rate.id, .rate, title: rate == .clickThrough ? "Click-through" : nil, ink: rate.numerator.ink)
    }

    /// The title within a sentence.
    public var name: String { title.prefix(1).lowercased() + title.dropFirst() }

    /// `arrival_p50_ms` as `arrival p50`: the unit is with the figure.
    public static func words(_ id: String) -> String {
        (id.hasSuffix("_ms") ? String(id.dropLast(3)) : id).replacing("_", with: " ")
    }

    public static func capitalized(_ words: String) -> String {
        words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension Measure {
    /// The color of the stage that the measure belongs to.
    var ink: Ink {
        switch self {
        case .attempted: .attempted
        case .accepted, .reportable: .accepted
        case .arrived, .arrivedReportable, .confirmed, .confirmedSigned, .presented: .confirmed
        case .clicked, .arrivedClicked: .clicked
        case .dismissed: .aside
        default: .trouble
        }
    }
}

/// A column with the value that it has for a row or for the totals.
struct SheetField<Subject> {
    var column: SheetColumn
    let value: (Subject) -> SheetValue

    init(_ column: SheetColumn, _ value: @escaping (Subject) -> SheetValue) {
        self.column = column
        self.value = value
    }
}

extension SheetField {
    /// The words of a row, which may be missing; `["key", …]` is the path of a part of its key.
    static func words(
        _ id: String, title: String? = nil, at path: [String]? = nil,
        in places: SheetColumn.Places = [.rows, .csv], _ words: @escaping (Subject) -> String?
    ) -> Self {
        Self(SheetColumn(id, .words, title: title, at: path ?? [id], in: places)) { subject in
            words(subject).map { .words($0) } ?? .none
        }
    }

    /// Words that end each line of CSV.
    static func constant(_ id: String, _ text: String) -> Self { words(id, in: .csv) { _ in text } }

    /// A number, which may be missing.
    static func count(
        _ id: String, title: String? = nil, at path: [String]? = nil, ink: Ink? = nil,
        in places: SheetColumn.Places = .all, _ count: @escaping (Subject) -> Int64?
    ) -> Self {
        Self(SheetColumn(id, title: title, at: path, ink: ink, in: places)) { SheetValue(count($0)) }
    }
}

/// A row, or totals, with counts of measures.
protocol Counted {
    var counts: MeasureCounts { get }
}

extension SheetField where Subject: Counted {
    static func measure(
        _ measure: Measure, title: String? = nil, in places: SheetColumn.Places = .all
    ) -> Self {
        Self(SheetColumn(measure, title: title, in: places)) { .count($0.counts[measure]) }
    }

    static func rate(_ rate: Rate) -> Self {
        Self(SheetColumn(rate)) { SheetValue(rate, in: $0.counts) }
    }

    /// Attempts that were not accepted; only for people, because programs have the classes.
    static var rejected: Self {
        Self(SheetColumn("rejected", in: .nowhere)) { .count($0.counts.rejected) }
    }
}

extension MeasureCounts {
    public var rejected: Int64 { self[.attempted] - self[.accepted] }
}
