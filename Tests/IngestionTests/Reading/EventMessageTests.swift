import DeliveryModel
import Foundation
import Testing

@testable import Ingestion

/// The contract for `message_id`.
struct EventMessageTests {
    private static let message = "5d1f7b9e-1c0a-4e55-9a39-2f6c1a7b8c9d"
    private static let device = EventReading.id
    private static let response =
        #""type":"response","provider":"apns","status":200,"sent_at":\#(EventReading.now.millisecondsSinceEpoch)"#

    private static func item(_ fields: String) -> String { #"{"message_id":"\#(message)",\#(fields)}"# }

    @Test(
        "a device's event and a recall identify the notification by message and device",
        arguments: ["arrival", "presentation", "click", "dismissal", "recall"])
    func deviceEvents(type: String) throws {
        let event = try EventReading.decoded(
            Self.item(#""type":"\#(type)","device_id":"\#(Self.device)""#)
        ).get()
        #expect(event.name == .message(try uuid(Self.message), deviceID: try uuid(Self.device)))
        #expect(event.sentAt == nil)
    }

    @Test("the token of a response identifies the device, if there is one; otherwise its device_id does")
    func responses() throws {
        let message = try uuid(Self.message)
        for fields in [#""token":"0a1b""#, #""token":"0a1b","device_id":"\#(Self.device)""#] {
            let event = try EventReading.decoded(Self.item("\(Self.response),\(fields)")).get()
            #expect(event.name == .message(message, deviceID: nil))
        }
        let event = try EventReading.decoded(
            Self.item(#"\#(Self.response),"device_id":"\#(Self.device)""#)
        ).get()
        #expect(event.name == .message(message, deviceID: try uuid(Self.device)))
    }

    @Test("a server may name the device of an event by its token, as a vendor's receipt does")
    func receipts() throws {
        let event = try EventReading.decoded(
            Self.item(
                #""type":"arrival","evidence":"provider","provider":"huawei_receipt","token":"IQ0a1b2c""#)
        ).get()
        #expect(event.name == .message(try uuid(Self.message), deviceID: nil))
        guard case .device(let report) = event.content else { return #expect(Bool(false)) }
        #expect(report.token?.value == "IQ0a1b2c" && report.token?.provider == "hms")
        for (fields, code) in [
            (#""type":"arrival","token":"IQ0a1b2c""#, "missing_notification_id"),
            (#""type":"recall","provider":"hms","token":"IQ0a1b2c""#, "missing_notification_id"),
            (#""type":"click","provider":"hms","token":"null""#, "invalid_token"),
            (#""type":"click","provider":"pigeon","token":"IQ0a1b2c""#, "unknown_provider"),
        ] {
            #expect(EventReading.decoded(Self.item(fields)).code == code, "\(fields)")
        }
    }

    @Test("with a version 7 message id, a sender's sent_at counts, and a device's does not")
    func dated() throws {
        let id = "019c8cfe-4500-7000-8000-000000000001"
        let idTime = try #require(try uuid(id).versionSevenInstant)
        let response =
            #"{"type":"response","message_id":"\#(id)","provider":"apns","status":200,"token":"0a1b""#
        let sentAt = EventReading.now
        let items: [(String, Instant?)] = [
            (
                #"{"type":"click","message_id":"\#(id)","device_id":"\#(Self.device)","sent_at":1771999999999}"#,
                nil
            ),
            ("\(response)}", nil), (#"\#(response),"sent_at":0}"#, nil),
            (#"\#(response),"sent_at":\#(sentAt.millisecondsSinceEpoch)}"#, sentAt),
        ]
        for (item, sentAt) in items {
            let event = try EventReading.decoded(item).get()
            #expect(event.sentAt == sentAt && event.idTime == idTime, "\(item)")
            #expect(event.warnings.contains(.idOlderThanSentAt) == (sentAt != nil))
        }
    }

    @Test(
        "an item that identifies no notification, or two, is rejected",
        arguments: [
            (#"{"type":"arrival"}"#, "missing_notification_id"),
            (item(#""type":"arrival""#), "missing_notification_id"),
            (item(#""type":"arrival","device_id":null"#), "missing_notification_id"),
            (item(#""type":"recall""#), "missing_notification_id"),
            (item(#""type":"arrival","device_id":"phone""#), "invalid_field"),
            (
                item(#""type":"arrival","device_id":"\#(device)","notification_id":"\#(message)""#),
                "invalid_field"
            ),
            (item(#"\#(response),"token":"0a1b","notification_id":"\#(message)""#), "invalid_field"),
            (item(response), "missing_token"), (item(#"\#(response),"channel":"news""#), "missing_token"),
            (#"{"type":"arrival","message_id":"","device_id":"\#(device)"}"#, "invalid_field"),
            (#"{"type":"arrival","message_id":7.5,"device_id":"\#(device)"}"#, "invalid_field"),
            (item(#""type":"response","provider":"apns","status":200,"token":"0a1b""#), "missing_sent_at"),
            (
                #"{"type":"arrival","message_id":"01000000-0000-7000-8000-000000000001","device_id":"\#(device)"}"#,
                "too_old"
            ),
        ])
    func rejected(item: String, code: String) {
        #expect(EventReading.decoded(item).code == code)
    }

    @Test("a message_id that is null counts as absent")
    func null() throws {
        let event = try EventReading.arrival(#""message_id":null"#).get()
        #expect(event.name == .notification(try uuid(EventReading.id)))
    }

    private func uuid(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }
}
