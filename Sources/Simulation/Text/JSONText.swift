/// A JSON value whose fields keep the order in which they were added.
indirect enum JSONValue {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case array([JSONValue])
    case object(JSONObject)
}

/// The fields of a JSON object, in order. Absent values are left out.
struct JSONObject {
    private var fields: [(name: String, value: JSONValue)] = []

    mutating func add(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        fields.append((name: name, value: value))
    }

    mutating func add(_ name: String, _ text: String?) {
        add(name, text.map(JSONValue.string))
    }

    mutating func add(_ name: String, _ number: Int64?) {
        add(name, number.map(JSONValue.integer))
    }

    mutating func add(_ name: String, _ claim: Bool?) {
        add(name, claim.map(JSONValue.boolean))
    }

    /// The same content with the last field first, as another JSON library would write it.
    func reordered() -> JSONObject {
        var copy = JSONObject()
        copy.fields = fields.reversed()
        return copy
    }

    /// The object on one line.
    func bytes() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(360)
        append(to: &output)
        return output
    }

    fileprivate func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (position, field) in fields.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            JSONValue.append(field.name, to: &output)
            output.append(UInt8(ascii: ":"))
            field.value.append(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONValue {
    fileprivate func append(to output: inout [UInt8]) {
        switch self {
        case .string(let text): Self.append(text, to: &output)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .boolean(let claim): output.append(contentsOf: (claim ? "true" : "false").utf8)
        case .object(let object): object.append(to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                value.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        }
    }

    /// Appends a string literal. Control characters, which a topic or a campaign key may contain, are escaped.
    fileprivate static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                Hexadecimal.append(byte, to: &output)
            default:
                output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
