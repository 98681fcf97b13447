internal import Basics
internal import Crypto
internal import DeliveryModel
internal import Foundation

/// An item of `POST /v1/events` as a preset composes it, field by field.
struct ComposedEvent {
    private var members: [JSONValue.Member]

    /// - Parameter type: such as `response`.
    init(_ type: String) { members = [.init("type", .string(type))] }

    var item: PresetItem { .event(Array(JSONValue.object(members).lineText.utf8)) }

    /// Leaves the field out if there is no text.
    mutating func set(_ name: String, _ text: String?) {
        if let text, !text.isEmpty { members.append(.init(name, .string(text))) }
    }

    mutating func set(_ name: String, _ number: Int64?) {
        if let number { members.append(.init(name, .integer(number))) }
    }

    mutating func set(_ name: String, _ value: Bool) { members.append(.init(name, .bool(value))) }

    mutating func set(_ name: String, _ instant: Instant?) { set(name, instant?.millisecondsSinceEpoch) }

    mutating func set(_ name: String, id: String, sentAt: Instant) {
        set(name, id)
        set("sent_at", sentAt)
    }

    /// Sets an id that no device knows, because the sender named none. The same record gets it again, so that
    /// a log may be read twice.
    ///
    /// `mutable_content` is false: devices cannot report about such a push, and rates of arrival leave it
    /// out.
    mutating func set(idOf sender: String, from parts: [String], sentAt: Instant) {
        let text = (parts + [sentAt.rfc3339]).joined(separator: "\n")
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(16)
        set("notification_id", "\(sender)-" + digest.map { Self.hex($0) }.joined())
        set("sent_at", sentAt)
        set("mutable_content", false)
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

extension Instant {
    /// The time of a push whose sender states none: that in its version 7 id, which is the sender's own
    /// clock, or else the time of what was posted about it.
    static func sending(_ id: String?, reportedAt time: Instant) -> Instant {
        id.flatMap { UUID(strict: $0)?.versionSevenInstant } ?? time
    }
}
