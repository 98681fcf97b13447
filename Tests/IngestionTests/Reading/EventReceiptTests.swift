import DeliveryModel
import Foundation
import Testing
import Trust

@testable import Ingestion

struct EventReceiptTests {
    private let key = SigningKey("lf_receipt_test")
    private let id = UUID()

    private func read(
        _ demand: TrustRules.Demand, _ poster: EventValidator.Poster = .device,
        field: String = "notification_id",
        receipt: String?, more: String = ""
    ) -> Result<Event, ItemRejection> {
        var trust = TrustRules()
        trust.receipts = demand
        trust.receiptKeys = [SigningKey("lf_receipt_next"), key]
        let text = receipt.map { #","receipt":"\#($0)""# } ?? ""
        return EventValidator(appID: 1, poster: poster, now: EventReading.now, trust: trust)
            .decode(Array(#"{"type":"click","\#(field)":"\#(id)"\#(text)\#(more)}"#.utf8)[...])
    }

    private var valid: String { Receipt.text(for: id, key: key) }

    @Test("without a demand, receipts are ignored", arguments: [nil, "garbage", "valid"])
    func off(text: String?) throws {
        let receipt = text == "valid" ? valid : text
        #expect(try read(.off, receipt: receipt).get().report?.isSigned == false)
        #expect(try read(.off, .server, receipt: receipt).get().report?.isSigned == false)
    }

    @Test("if they are observed, an event with a valid one is signed, and every other counts as before")
    func observed() throws {
        #expect(try read(.observe, receipt: valid).get().report?.isSigned == true)
        for receipt in [nil, "garbage", "", Receipt.text(for: UUID(), key: key)] {
            #expect(try read(.observe, receipt: receipt).get().report?.isSigned == false)
        }
        let signed = try read(.observe, receipt: valid).get().contribution(outcome: nil)
        #expect(signed == [.clicked, .signed])
    }

    @Test("if they are required, every other event is rejected, whatever source it names")
    func required() throws {
        #expect(try read(.required, receipt: valid).get().report?.isSigned == true)
        for receipt in [nil, "garbage", Receipt.text(for: UUID(), key: key)] {
            for more in ["", #","source":"local""#] {
                #expect(read(.required, receipt: receipt, more: more).code == "invalid_receipt")
            }
        }
        #expect(read(.required, receipt: nil).rejection?.detail.contains("receipt is required") == true)
    }

    @Test("for a message, the receipt is that of the message's id")
    func message() throws {
        let device = #","device_id":"\#(UUID())""#
        let event = try read(.required, field: "message_id", receipt: valid, more: device).get()
        #expect(event.report?.isSigned == true)
    }

    @Test("a server needs none: its key is proof enough")
    func server() throws {
        #expect(try read(.required, .server, receipt: nil).get().report?.isSigned == true)
    }
}
