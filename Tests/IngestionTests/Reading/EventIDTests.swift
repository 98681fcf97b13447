import DeliveryModel
import Foundation
import Testing
import Trust

@testable import Ingestion

/// `notification_id` and `message_id` of any text, on every kind of item.
struct EventIDTests {
    private static let app: Int64 = 7
    private static let id = UUID.v5(of: "order-4711", in: .namespace(ofApp: app))
    private static let device = EventReading.id
    private static let millis = EventReading.now.millisecondsSinceEpoch

    private func read(
        _ item: String, app: Int64 = app, _ poster: EventValidator.Poster = .server,
        trust: TrustRules = TrustRules()
    ) -> Result<Event, ItemRejection> {
        EventValidator(appID: app, poster: poster, now: EventReading.now, trust: trust)
            .decode(Array(item.utf8)[...])
    }

    private static let items = [
        #""type":"response","provider":"apns","status":200,"token":"aa","sent_at":\#(millis)"#,
        #""type":"arrival""#, #""type":"presentation""#, #""type":"click""#, #""type":"dismissal""#,
        #""type":"recall""#,
    ]

    @Test(
        "all items with one text are about one notification, and in another app about another",
        arguments: items)
    func notification(item: String) throws {
        let item = #"{"notification_id":"order-4711",\#(item)}"#
        #expect(try read(item).get().name == .notification(Self.id))
        #expect(try read(item, app: 8).get().name != .notification(Self.id))
    }

    @Test("all items with one text as message_id are about one message", arguments: items)
    func message(item: String) throws {
        let device = try #require(UUID(uuidString: Self.device))
        let event = try read(#"{"message_id":"order-4711","device_id":"\#(device)",\#(item)}"#).get()
        #expect(event.name == .message(Self.id, deviceID: item.contains("token") ? nil : device))
    }

    @Test(
        "a whole number is the text of its digits, however it is written",
        arguments: [
            ("4711", "4711"), ("4711.0", "4711"), ("47.11e2", "4711"), ("-1", "-1"),
            ("9223372036854775807", "9223372036854775807"),
        ])
    func numbers(json: String, text: String) throws {
        let event = try read(#"{"type":"click","notification_id":\#(json)}"#).get()
        #expect(event.name == .notification(try ChosenID(text).uuid(inApp: Self.app)))
        #expect(try read(#"{"type":"click","notification_id":"\#(text)"}"#).get().name == event.name)
    }

    @Test(
        "what is no id is rejected, with the fix",
        arguments: [
            #""""#, #""  ""#, #""null""#, #""undefined""#, #""(null)""#, #""None""#, "0", "4.5", "1e30",
            "true", "[]",
            #"{"id":"order-4711"}"#,
        ])
    func rejected(json: String) {
        for (field, code) in [
            ("notification_id", "invalid_notification_id"), ("message_id", "invalid_field"),
        ] {
            let rejection = read(#"{"type":"click","\#(field)":\#(json),"device_id":"\#(Self.device)"}"#)
                .rejection
            #expect(rejection?.code.rawValue == code)
            let fixes = ["use the id that the sender put into the payload", "or a whole number"]
            #expect(fixes.contains { rejection?.detail.hasSuffix($0) == true }, "\(rejection?.detail ?? "")")
        }
    }

    @Test("null counts as absent, and a text of more than 255 characters is too long")
    func absentAndLong() {
        #expect(read(#"{"type":"click","notification_id":null}"#).code == "missing_notification_id")
        let long = String(repeating: "é", count: 256)
        #expect(read(#"{"type":"click","notification_id":"\#(long)"}"#).code == "too_long")
        #expect(read(#"{"type":"click","notification_id":"a\u0000b"}"#).code == "invalid_field")
    }

    @Test("a response states sent_at, because such an id contains no time; a device event need not")
    func sentAt() throws {
        let response = #""type":"response","provider":"apns","status":200,"token":"aa""#
        for field in ["notification_id", "message_id"] {
            let rejection = read(#"{"\#(field)":"order-4711",\#(response)}"#).rejection
            #expect(rejection?.code == .missingSentAt && rejection?.detail.contains(field) == true)
        }
        let click = try read(#"{"notification_id":"order-4711","type":"click"}"#).get()
        #expect(click.sentAt == nil && click.idTime == nil)
    }

    @Test("the receipt of a text signs the text, of a UUID its bytes, of notifications and messages alike")
    func receipts() throws {
        var trust = TrustRules()
        trust.receipts = .required
        trust.receiptKeys = [SigningKey("lf_receipt_test")]
        let receipt = Receipt.text(for: .text("order-4711"), key: trust.receiptKeys[0])
        for field in ["notification_id", "message_id"] {
            for id in [#""order-4711""#, #"" order-4711 ""#] {
                let item =
                    #"{"type":"click","\#(field)":\#(id),"device_id":"\#(Self.device)","receipt":"\#(receipt)"}"#
                #expect(try read(item, .device, trust: trust).get().report?.isSigned == true)
            }
            // The id that the text becomes is another text.
            for id in ["order-4712", "\(Self.id)"] {
                let item =
                    #"{"type":"click","\#(field)":"\#(id)","device_id":"\#(Self.device)","receipt":"\#(receipt)"}"#
                #expect(read(item, .device, trust: trust).code == "invalid_receipt")
            }
        }
    }
}
