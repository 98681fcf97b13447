public import DeliveryModel
internal import Foundation

/// A `status`: a number, also as a string (aioapns), or a word, as in an Expo ticket or a vendor's receipt.
enum PostedStatus: Equatable {
    case code(Int)
    case word(String)

    init?(text: String) {
        if (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ $0.digit != nil }), let code = Int(text)
        {
            self = .code(code)
        } else {
            guard (1...FieldLimits.statusWord).contains(text.utf8.count) else { return nil }
            self = .word(text)
        }
    }
}

/// A provider's error as posted, not yet read.
enum PostedError {
    /// A JSON object or array.
    case json([UInt8])
    case text(String)
}

/// A string that should be a UUID. Whether it is one is checked only where it is needed: a field that is
/// irrelevant to an item's type may hold anything.
struct PostedUUID {
    /// `nil` if the string is not one.
    let uuid: UUID?

    init(_ text: JSONText) { uuid = text.withBytes(UUID.init(strict:)) }
}

/// An id that the sender chose, checked only where it is needed, too.
typealias PostedID = Result<ChosenID, ChosenID.Fault>

extension PostedID {
    /// Most ids are UUIDs, which are read without a copy.
    init(_ text: JSONText) {
        self = text.withBytes(UUID.init(strict:)).map { .success(.uuid($0)) } ?? PostedID(text.string)
    }

    init(_ text: String) {
        self.init(catching: { () throws(ChosenID.Fault) in try ChosenID(text) })
    }
}

/// An RFC 3339 string with a zone, or a number of milliseconds since 1970. Fractions of a millisecond are
/// dropped: browsers give times as floating-point numbers.
///
/// Many languages write 0 or the year 1 for an unset time (such as Go's zero time), so these count as absent.
/// Any other instant before 2009, when push began, is a mistake: usually seconds given as milliseconds.
public struct PostedInstant: Decodable, Sendable {
    /// `nil` for a zero value.
    public let instant: Instant?

    /// The years 2009 to 2199, far from where arithmetic on milliseconds could overflow. Later years are
    /// usually those of another calendar: the Buddhist one is 543 years ahead.
    private static let bounds = Instant.earliestPosted...Instant(millisecondsSinceEpoch: 7_258_118_399_999)

    /// The requirement, as the end of a sentence that begins with the field's name.
    public static let requirement =
        "must be an RFC 3339 instant with a zone, or milliseconds (not seconds) since 1970, in the years 2009 to 2199"

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let fraction = (try? container.decode(Double.self)).flatMap { $0.magnitude < 1e15 ? Int64($0) : nil }
        let milliseconds = (try? container.decode(Int64.self)) ?? fraction
        let text = (try? container.decode(String.self)).flatMap { Instant(rfc3339: $0) }
        let instant = milliseconds.map { Instant(millisecondsSinceEpoch: $0) } ?? text
        guard let posted = instant.flatMap(Self.init) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.requirement)
        }
        self = posted
    }

    /// Returns `nil` for an instant outside the bounds.
    public init?(_ instant: Instant) {
        guard instant.isZeroValue || Self.bounds.contains(instant) else { return nil }
        self.instant = instant.isZeroValue ? nil : instant
    }

    /// A provider's `timestamp` in milliseconds. Some libraries convert it to seconds, which are far smaller.
    init?(providers number: Double) {
        guard number.isFinite, number.magnitude < 1e15 else { return nil }
        let isSeconds = Self.seconds.contains(number)
        self.init(Instant(millisecondsSinceEpoch: Int64(isSeconds ? number * 1_000 : number)))
    }

    /// Seconds from 2009 on. Read as milliseconds, they would be in January 1970.
    private static let seconds = 1_230_768_000.0...100_000_000_000.0
}
