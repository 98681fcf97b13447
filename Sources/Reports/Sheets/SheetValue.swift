public import DeliveryModel

/// One number or word of a report, with everything that a format needs to write it.
public enum SheetValue: Hashable, Sendable {
    /// Not counted, or not applicable: null, an empty field, a dash.
    case none
    /// A number of notifications or installations.
    case count(Int64)
    /// Such a number, estimated from sketches.
    case estimate(Int64)
    case milliseconds(Int64)
    /// - Parameter caveat: the reason why the rate cannot be compared with others.
    case rate(Proportion, caveat: String? = nil)
    /// A rate whose numerator is not a whole number, or of which nothing is known.
    case estimatedRate(EstimatedRate)
    /// - Parameter title: the words as people read them, if they differ.
    case words(String, title: String? = nil, ink: Ink? = nil)
    case names([String])
    case instant(Instant)
    /// Only for JSON.
    case document(JSONValue)

    /// A count, or ``none``.
    init(_ count: Int64?) { self = count.map { .count($0) } ?? .none }

    /// A rate of these counts with its caveat.
    init(_ rate: Rate, in counts: MeasureCounts) {
        self = .rate(rate.proportion(in: counts), caveat: rate.caveat(in: counts))
    }

    /// The number as a length; `nil` if it is none.
    public var number: Double? {
        switch self {
        case .count(let count), .estimate(let count), .milliseconds(let count): Double(count)
        case .rate(let rate, _): rate.value
        case .estimatedRate(let rate): rate.value
        case .none, .words, .names, .instant, .document: nil
        }
    }

    /// The count, also if it is an estimate, or the milliseconds.
    public var count: Int64? {
        switch self {
        case .count(let count), .estimate(let count), .milliseconds(let count): count
        default: nil
        }
    }

    public var rate: Proportion? {
        guard case .rate(let rate, _) = self else { return nil }
        return rate
    }

    /// Whether this is a rate with a caveat.
    public var isDoubtful: Bool {
        guard case .rate(_, let caveat) = self else { return false }
        return caveat != nil
    }

    public var isEstimate: Bool {
        guard case .estimate = self else { return false }
        return true
    }

    /// The value of this kind in a row that does not exist.
    var ofNothing: SheetValue {
        switch self {
        case .count, .estimate: .count(0)
        case .rate: .rate(Proportion(0, of: 0))
        case .estimatedRate: .estimatedRate(.unknown)
        default: .none
        }
    }
}

/// A rate whose numerator is estimated.
public struct EstimatedRate: Hashable, Sendable {
    public var numerator: Double?
    public var denominator: Int64?
    public var value: Double?
    public var interval: ClosedRange<Double>?
    /// What it is based on, for JSON.
    public var basis: [JSONValue.Member] = []

    public static let unknown = EstimatedRate()
}

/// The meaning of a piece of text, shown as a color. The raw value is the terminal's color (SGR, ECMA-48).
public enum Ink: String, Sendable, CaseIterable {
    case title = "1"
    case aside = "2"
    case attempted = "34"
    case accepted = "36"
    case confirmed = "32"
    case clicked = "33"
    /// Worth knowing, but nothing is lost.
    case caution = "93"
    case trouble = "31"
}
