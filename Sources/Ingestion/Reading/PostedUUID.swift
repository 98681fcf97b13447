internal import DeliveryModel
internal import Foundation

/// A string that should be a UUID. Whether it is one is asked when it is needed: a field that says nothing about an item's
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

    /// What was posted instead.
    var invalidText: String? {
        guard case .invalid(let text) = self else { return nil }
        return text
    }
}
