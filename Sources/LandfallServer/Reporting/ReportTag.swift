internal import Basics
internal import Crypto
internal import Foundation
internal import Reports

/// The entity tag of a report (RFC 9110, section 8.8.3): it stays the same while the report's numbers do.
///
/// It is weak, because documents with the same tag may differ in the instant at which they were read.
struct ReportTag: Hashable, Sendable {
    /// `W/"…"`
    let text: String

    init(of document: JSONValue) {
        let digest = SHA256.hash(data: Data(document.withoutInstantOfReading.lineText.utf8))
        let digits = digest.prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        text = "W/\"\(digits.joined())\""
    }

    /// Whether a client that sent these `If-None-Match` fields has the report (section 13.1.2).
    func matches(_ fields: [String]) -> Bool {
        let tags = fields.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        return tags.contains { $0 == "*" || $0 == text || "W/" + $0 == text }
    }
}

extension JSONValue {
    /// The document without its instants of reading, which pass without changing the numbers.
    fileprivate var withoutInstantOfReading: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.filter { !["as_of", "audience_as_of"].contains($0.key) }
                    .map { Member($0.key, $0.value.withoutInstantOfReading) })
        case .array(let elements): .array(elements.map(\.withoutInstantOfReading))
        default: self
        }
    }
}
