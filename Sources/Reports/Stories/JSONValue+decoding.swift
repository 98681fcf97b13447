internal import Documents
internal import Foundation

extension JSONValue {
    /// Parses a document; `nil` if the text is not JSON. Members of objects are sorted by name,
    /// because `JSONDecoder` does not keep their order.
    init?(text: String) {
        guard let read = try? JSONDecoder().decode(ReadValue.self, from: Data(text.utf8)) else { return nil }
        self = read.value
    }
}

private struct ReadValue: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let read = try? container.decode(Bool.self) {
            value = .bool(read)
        } else if let read = try? container.decode(Int64.self) {
            value = .integer(read)
        } else if let read = try? container.decode(Double.self) {
            value = .number(read)
        } else if let read = try? container.decode(String.self) {
            value = .string(read)
        } else if let read = try? container.decode([ReadValue].self) {
            value = .array(read.map(\.value))
        } else {
            let members = try container.decode([String: ReadValue].self)
            value = .object(
                members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.value) })
        }
    }
}
