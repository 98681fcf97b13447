internal import DeliveryModel
internal import Foundation

/// A string that should be a UUID. Whether it is one is checked only where it is needed: a field that is irrelevant to an item's
/// type may hold anything.
enum PostedUUID {
    case valid(UUID)
    case invalid(String)

    init(_ text: JSONText) {
        self = text.withBytes(UUID.init(strict:)).map { .valid($0) } ?? .invalid(text.string)
    }

    var uuid: UUID? {
        guard case .valid(let uuid) = self else { return nil }
        return uuid
    }

    /// The posted text, if it is not a UUID.
    var invalidText: String? {
        guard case .invalid(let text) = self else { return nil }
        return text
    }
}
