internal import Foundation

/// JSON as the DevTools protocol uses it. What is missing reads as null.
public enum DevToolsValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([DevToolsValue])
    case object([String: DevToolsValue])

    /// The member of an object.
    public subscript(_ name: String) -> DevToolsValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The element of an array.
    public subscript(_ position: Int) -> DevToolsValue {
        let items = items
        return items.indices.contains(position) ? items[position] : .null
    }

    /// Whether it is null, or missing.
    public var isNull: Bool { self == .null }

    /// `nil` if it is no Boolean.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// `nil` if it is no number.
    public var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// `nil` if it is no whole number.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// `nil` if it is no string.
    public var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; empty if it is none.
    public var items: [DevToolsValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// As an expression in JavaScript, which JSON is.
    public var script: String { String(decoding: bytes, as: UTF8.self) }
}

extension DevToolsValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: DevToolsValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, DevToolsValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension DevToolsValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let items = try? value.decode([DevToolsValue].self) {
            self = .array(items)
        } else {
            self = .object(try value.decode([String: DevToolsValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number):
            if let integer = Int(exactly: number) {
                try value.encode(integer)
            } else {
                try value.encode(number)
            }
        case .text(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }

    init(bytes: Data) throws { self = try JSONDecoder().decode(DevToolsValue.self, from: bytes) }

    var bytes: Data { (try? JSONEncoder().encode(self)) ?? Data("null".utf8) }
}
