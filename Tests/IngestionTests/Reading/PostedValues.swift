import Basics
import Foundation

@testable import Ingestion

/// The fields of an item as comparable text, to compare different readers.
struct PostedValues {
    private(set) var byField: [PostedField: String] = [:]

    /// The properties of ``PostedEvent`` and the facts that are read as they are have the names of the cases
    /// of ``PostedField``.
    init(_ event: PostedEvent) {
        let facts = Array(Mirror(reflecting: event.facts).children)
        for property in facts + Array(Mirror(reflecting: event).children) {
            guard let field = PostedField.allCases.first(where: { "\($0)" == property.label }) else {
                continue
            }
            byField[field] = Self.text(property.value)
        }
    }

    init(_ byField: [PostedField: String]) {
        self.byField = byField
    }

    /// Whether both read the main fields alike, and the labels that both could read.
    func agrees(with other: PostedValues) -> Bool {
        PostedField.allCases.allSatisfy { field in
            guard let mine = byField[field], let others = other.byField[field] else {
                return field.isLabel || byField[field] == other.byField[field]
            }
            return mine == others
        }
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let string as String: string
        case let whole as Int: "\(whole)"
        case let claim as Bool: "\(claim)"
        case let instant as Instant: "\(instant.millisecondsSinceEpoch)"
        case let instant as PostedInstant: instant.instant.map { "\($0.millisecondsSinceEpoch)" }
        case PostedStatus.code(let code) as PostedStatus: "\(code)"
        case PostedStatus.word(let word) as PostedStatus: word
        case PostedError.text(let text) as PostedError: text
        case is PostedError: "nested"
        case let id as PostedUUID: id.uuid?.uuidString ?? "invalid"
        case let id as PostedID: (try? id.get()).map { "\($0)" } ?? "invalid"
        default: nil
        }
    }
}
