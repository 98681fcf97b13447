/// JSON whose objects keep the order of their members, so that a document reads as the contract
/// shows it and the same report is always the same bytes. `JSONEncoder` guarantees neither.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: JSONValue

        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }

        /// An array with the document of each element.
        public init<Elements: Sequence>(
            _ key: String, _ elements: Elements, _ document: (Elements.Element) -> JSONValue
        ) {
            self.init(key, .array(elements.map(document)))
        }
    }

    /// Null if `nil`.
    public static func optional(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }

    /// Null if `nil`, or if JSON cannot represent the number.
    public static func optional(_ number: Double?) -> JSONValue {
        guard let number, number.isFinite else { return .null }
        return .number(number)
    }

    /// Null if `nil`.
    public static func optional(_ number: Int64?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }

    /// Keeps the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
