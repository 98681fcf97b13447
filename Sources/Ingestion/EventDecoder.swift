public import DeliveryModel
internal import Foundation

/// Reads posted items: bytes in, valid events or reasons out.
public struct EventDecoder {
    private let decoder = JSONDecoder()
    private let validator: EventValidator

    public init(_ validator: EventValidator) {
        self.validator = validator
    }

    /// No event has this much to say; a larger one is not even read.
    static let longestItem = 64 << 10

    public func decode(_ item: ArraySlice<UInt8>) -> Result<Event, ItemRejection> {
        guard item.count <= Self.longestItem else {
            return .failure(ItemRejection(.tooLong, "an item may have at most \(Self.longestItem) bytes"))
        }
        do {
            return .success(try validator.event(from: try posted(item)))
        } catch let rejection as ItemRejection {
            return .failure(rejection)
        } catch {
            return .failure(ItemRejection(.invalidJSON, "the item could not be read"))
        }
    }

    private func posted(_ item: ArraySlice<UInt8>) throws -> PostedEvent {
        do {
            return try decoder.decode(PostedEvent.self, from: Data(item))
        } catch let error as DecodingError {
            throw rejection(for: error)
        }
    }

    private func rejection(for error: DecodingError) -> ItemRejection {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            rejection(forKey: context.codingPath.last)
        case .dataCorrupted(let context):
            rejection(forKey: context.codingPath.last)
        @unknown default:
            ItemRejection(.invalidJSON, "the item could not be read")
        }
    }

    /// The field that did not have the right type; without one, the item as a whole is at fault.
    private func rejection(forKey key: (any CodingKey)?) -> ItemRejection {
        guard let key, let field = PostedEvent.CodingKeys(stringValue: key.stringValue) else {
            return ItemRejection(.invalidJSON, "an item must be one valid JSON object")
        }
        return switch field {
        case .type: ItemRejection(.unknownType, "type must be a string")
        case .notificationID: ItemRejection(.invalidNotificationID, "notification_id must be a UUID")
        case .status: ItemRejection(.invalidStatus, "status must be a whole number, 0 when no answer came")
        case .token: ItemRejection(.invalidToken, "token must be a string")
        case .sentAt, .timestamp, .occurredAt, .reportedAt:
            ItemRejection(
                .invalidInstant,
                "\(field.rawValue) must be an RFC 3339 instant with a zone, or milliseconds since 1970")
        case .priority: ItemRejection(.invalidField, "priority must be a whole number")
        case .mutableContent: ItemRejection(.invalidField, "mutable_content must be true or false")
        default: ItemRejection(.invalidField, "\(field.rawValue) must be a string")
        }
    }
}
