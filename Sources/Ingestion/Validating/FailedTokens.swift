internal import Foundation

/// A list of tokens that failed, as the strings of a list, of lists by name, or of a text with commas.
struct FailedTokens {
    private(set) var values: [String] = []

    /// Returns `nil` if the value is not a list.
    init?(_ value: Any) {
        if let text = value as? String {
            values = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return
        }
        guard value is [Any] || value is [String: Any] else { return nil }
        add(value)
    }

    func contains(_ token: String) -> Bool {
        values.contains { $0.caseInsensitiveCompare(token) == .orderedSame }
    }

    private mutating func add(_ value: Any) {
        switch value {
        case let text as String: values.append(text)
        case let values as [Any]: values.forEach { add($0) }
        case let object as [String: Any]: object.values.forEach { add($0) }
        default: break
        }
    }
}
