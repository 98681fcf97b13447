import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct NotificationPayloadTests {
    private static let id = "018F3C2A-0000-7000-8000-000000000001"

    private static func read(_ json: String, key: String = "landfall") throws -> NotificationPayload? {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return NotificationPayload(try #require(object), key: key)
    }

    @Test(
        "is found in what each sender delivers",
        arguments: [
            ("APNs, as documented", #"{"aps":{"alert":"Hi"},"landfall":{"id":"ID","receipt":"R"}}"#),
            (
                "FCM to iOS: data is flat, its values are strings",
                #"{"aps":{},"gcm.message_id":"1","landfall":"{\"id\":\"ID\",\"receipt\":\"R\"}"}"#
            ),
            ("FCM with flat names", #"{"aps":{},"landfall.id":"ID","landfall.receipt":"R"}"#),
            (
                "names with underscores, where dots are not allowed",
                #"{"aps":{},"landfall_id":"ID","landfall_receipt":"R"}"#
            ),
            (
                "Web Push: what the page's server encrypted",
                #"{"title":"Hi","data":{"landfall":{"id":"ID","receipt":"R"}}}"#
            ),
            (
                "OneSignal: additional data",
                #"{"aps":{},"custom":{"i":"1","a":{"landfall":{"id":"ID","receipt":"R"}}}}"#
            ),
            (
                "Expo: data in the body",
                #"{"aps":{},"body":{"landfall":{"id":"ID","receipt":"R"}},"experienceId":"@a/b"}"#
            ),
            (
                "Expo: the body as text",
                #"{"aps":{},"body":"{\"landfall\":{\"id\":\"ID\",\"receipt\":\"R\"}}"}"#
            ),
            (
                "Pusher Beams, Batch, …: a data object",
                #"{"aps":{},"data":{"landfall":"{\"id\":\"ID\",\"receipt\":\"R\"}"}}"#
            ),
            (
                "a payload inside the payload",
                #"{"payload":{"data":{"landfall.id":"ID","landfall.receipt":"R"}}}"#
            ),
        ])
    func senders(_ sender: String, _ json: String) throws {
        let payload = try Self.read(json.replacing("ID", with: Self.id))
        let expected = NotificationPayload(name: .notification(Self.id), receipt: "R")
        #expect(payload == expected, "\(sender)")
    }

    @Test("names a message if one payload goes to many devices")
    func message() throws {
        let payload = try Self.read(#"{"landfall":{"message":"\#(Self.id)"}}"#)
        #expect(payload?.name == .message(Self.id))
    }

    @Test(
        "names it by any text, unchanged, or by the digits of a whole number",
        arguments: [
            (#""order-4711""#, "order-4711"), (#"" Caf\u0065\u0301 ""#, " Cafe\u{301} "), ("4711", "4711"),
            ("9007199254740993", "9007199254740993"),
            (#""projects/p/messages/0:17%3""#, "projects/p/messages/0:17%3"),
        ])
    func texts(_ json: String, _ text: String) throws {
        let named = try Self.read(#"{"landfall":{"id":\#(json)}}"#)?.name
        #expect(named == .notification(text) && named?.id.utf8.elementsEqual(text.utf8) == true)
        #expect(try Self.read(#"{"data":{"landfall.message":\#(json)}}"#)?.name == .message(text))
    }

    @Test("prefers its own id to that of the message")
    func both() throws {
        let other = Self.id.replacing("1", with: "2")
        let payload = try Self.read(#"{"landfall":{"message":"\#(other)","id":"\#(Self.id)"}}"#)
        #expect(payload?.name == .notification(Self.id))
    }

    @Test("is read under the name that the app configures")
    func otherKey() throws {
        let json = #"{"data":{"delivery":{"id":"\#(Self.id)"}}}"#
        #expect(try Self.read(json, key: "delivery") != nil)
        #expect(try Self.read(json) == nil)
    }

    @Test(
        "is absent in what other senders deliver",
        arguments: [
            "{}", #"{"aps":{"alert":"Hi"}}"#, #"{"landfall":null}"#, #"{"landfall":"018f"}"#,
            #"{"landfall":[]}"#,
            #"{"landfall":{"id":""}}"#, #"{"landfall":{"id":["7"]}}"#, #"{"landfall":"{\"id\""}"#,
            #"{"data":{"data":{"data":{"data":{"landfall":{"id":"018f3c2a-0000-7000-8000-000000000001"}}}}}}"#,
        ])
    func none(_ json: String) throws {
        #expect(try Self.read(json) == nil)
    }
}
