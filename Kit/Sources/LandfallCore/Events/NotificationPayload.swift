internal import Foundation

/// What a payload says about its notification: `{"aps": …, "landfall": {"id": "…", "receipt": "…"}}`.
/// An id is any text, or a whole number.
///
/// Senders wrap what they are given, so it is found in these places:
///
/// - the object `landfall`, also as a string of JSON, which is what FCM's data contains;
/// - the fields `landfall.id`, `landfall.message` and `landfall.receipt`, or with an underscore instead of
///   the dot;
/// - all of these inside `data`, `custom`, `custom.a`, `payload` or `body`, as objects or strings of JSON.
public struct NotificationPayload: Equatable, Sendable {
    public var name: NotificationName
    /// What the sender signed (`landfall.receipt`). The server checks it.
    public var receipt: String?

    /// `aps.category`, whose actions the notification shows if the app has registered it.
    public var category: String?

    public init(name: NotificationName, receipt: String? = nil, category: String? = nil) {
        self.name = name
        self.receipt = receipt
        self.category = category
    }

    /// - Parameters:
    ///   - userInfo: the payload, as `UNNotificationContent.userInfo` has it.
    ///   - key: the name of the object; `landfall` unless the app configures another.
    /// - Returns: `nil` if the payload names no notification, as those of other senders do.
    public init?(_ userInfo: [AnyHashable: Any], key: String = Configuration.usualPayloadKey) {
        guard let found = Self.find(key, in: userInfo, depth: 0) else { return nil }
        self = found
        category = Self.dictionary(userInfo["aps"])?["category"] as? String
    }

    private static let wrappers = ["data", "custom", "a", "payload", "body"]

    private static func find(_ key: String, in object: [AnyHashable: Any], depth: Int) -> Self? {
        if let inner = dictionary(object[key]), let found = Self(inner, "") { return found }
        for separator in [".", "_"] {
            if let found = Self(object, key + separator) { return found }
        }
        guard depth < 3 else { return nil }
        for wrapper in wrappers {
            if let inner = dictionary(object[wrapper]), let found = find(key, in: inner, depth: depth + 1) {
                return found
            }
        }
        return nil
    }

    private init?(_ fields: [AnyHashable: Any], _ prefix: String) {
        func text(_ field: String) -> String? { fields[prefix + field] as? String }
        if let id = Self.id(fields[prefix + "id"]) {
            name = .notification(id)
        } else if let message = Self.id(fields[prefix + "message"]) {
            name = .message(message)
        } else {
            return nil
        }
        receipt = text("receipt")
    }

    /// A text, or a whole number, such as the key of a row.
    private static func id(_ value: Any?) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        return (value as? Int64).map { String($0) }
    }

    private static func dictionary(_ value: Any?) -> [AnyHashable: Any]? {
        if let dictionary = value as? [AnyHashable: Any] { return dictionary }
        guard let text = value as? String, text.hasPrefix("{"), let bytes = text.data(using: .utf8) else {
            return nil
        }
        return (try? JSONSerialization.jsonObject(with: bytes)) as? [AnyHashable: Any]
    }
}
