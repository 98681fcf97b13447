internal import Crypto
internal import Foundation
internal import Reports

/// The entity tag of a report (RFC 9110, section 8.8.3): the same as long as its numbers are.
///
/// Weak, because documents with one tag differ in one thing: the instant at which they were read.
struct ReportTag: Hashable, Sendable {
    /// `W/"…"`
    let text: String

    init(of document: JSONValue) {
        let digest = SHA256.hash(data: Data(document.withoutInstantOfReading.indentedText.utf8))
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
    /// The numbers are of that instant, but do not change because it passes.
    fileprivate var withoutInstantOfReading: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !["as_of", "audience_as_of"].contains($0.key) })
    }
}
