public import Foundation

/// The id that a sender chose for a notification or a message, as its payload and all of its events name it:
/// a UUID, or any other text of 1 to 255 characters, such as a database key.
public enum ChosenID: Hashable, Sendable {
    case uuid(UUID)
    /// In its canonical form (``Swift/String/canonicalName``); not a UUID.
    case text(String)

    public enum Fault: Error, CaseIterable, Sendable {
        /// Nothing, or what languages print for a missing value.
        case absent
        case tooLong
        case containsNUL

        /// The fault and its fix, as the end of a sentence that begins with the name of the id.
        public var advice: String {
            switch self {
            case .absent:
                "is empty, or a word for a missing value such as null or undefined: use the id that the sender put into the payload"
            case .tooLong: "is longer than \(FieldLimits.text) characters"
            case .containsNUL: "contains a NUL character"
            }
        }
    }

    public init(_ text: String) throws(Fault) {
        if let id = UUID(strict: text) {
            self = .uuid(id)
            return
        }
        let text = text.canonicalName
        guard !Self.isAbsence(text) else { throw .absent }
        guard text.unicodeScalars.count <= FieldLimits.text else { throw .tooLong }
        guard !text.utf8.contains(0) else { throw .containsNUL }
        self = UUID(strict: text).map(Self.uuid) ?? .text(text)
    }

    /// The id by which Landfall finds the row: the UUID itself, or the version 5 id of the text in the app's
    /// namespace.
    public func uuid(inApp appID: Int64) -> UUID {
        switch self {
        case .uuid(let id): id
        case .text(let text): .v5(of: text, in: .namespace(ofApp: appID))
        }
    }

    private static func isAbsence(_ text: String) -> Bool {
        text.utf8.count <= longestAbsence && absences.contains(text.lowercased())
    }

    /// Also 0, which many languages have for an unset number: all pushes would be one notification.
    private static let absences: Set = [
        "", "0", "null", "(null)", "<null>", "nil", "<nil>", "none", "nan", "undefined", "(undefined)",
        "optional(nil)", "[object object]",
    ]
    private static let longestAbsence = 15
}
