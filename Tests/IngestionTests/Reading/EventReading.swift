import DeliveryModel

@testable import Ingestion

/// Reads one item and returns the event or the rejection.
enum EventReading {
    static let now = Instant(millisecondsSinceEpoch: 1_772_000_000_000)
    static let id = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
    static let arrival = #"{"type":"arrival","notification_id":"\#(id)""#

    static func decoded(_ item: [UInt8]) -> Result<Event, ItemRejection> {
        EventValidator(appID: 1, poster: .server, now: now).decode(item[...])
    }

    static func decoded(_ item: String) -> Result<Event, ItemRejection> { decoded(Array(item.utf8)) }

    /// An arrival with further fields, e.g. `"action":"x"`.
    static func arrival(_ fields: String) -> Result<Event, ItemRejection> { decoded("\(arrival),\(fields)}") }

    /// The fields of the item, before the contract is applied.
    static func posted(_ item: [UInt8]) throws(ItemRejection) -> PostedEvent {
        try item.withUnsafeBytes { bytes in
            Result { () throws(ItemRejection) in try PostedEventReader.read(bytes) }
        }
        .get()
    }

    static func posted(_ item: String) throws(ItemRejection) -> PostedEvent { try posted(Array(item.utf8)) }
}

extension Event {
    /// `nil` unless it is a device event.
    var report: DeviceReport? {
        guard case .device(let report) = content else { return nil }
        return report
    }
}

extension Result<Event, ItemRejection> {
    /// `nil` if it is an event.
    var rejection: ItemRejection? {
        guard case .failure(let rejection) = self else { return nil }
        return rejection
    }

    var code: String? { rejection?.code.rawValue }

    var isEvent: Bool { rejection == nil }
}
