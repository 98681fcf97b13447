import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import TestDatabase
import Testing

/// Receipts of vendors: a message, a token, and no device.
@Suite(.database) struct VendorReceiptTests {
    private enum Step: CaseIterable {
        case register, response, receipt, click
    }

    private let story = MessageStory()

    private func take(_ step: Step, _ message: UUID, _ device: UUID) async throws {
        let token = MessageStory.token(device)
        switch step {
        case .register: try await story.register(device)
        case .response: try await story.post(story.response(message, to: token))
        case .receipt: try await story.post(story.receipt(message, of: token))
        case .click: try await story.post(story.report(.click, message, by: device))
        }
    }

    /// Of a receipt that comes before its response, only the token is known. If the token is registered in
    /// between, the response is about the device, and the receipt remains unmatched.
    private static func isLost(_ order: [Step]) -> Bool {
        let places = [Step.receipt, .register, .response].compactMap { order.firstIndex(of: $0) }
        return places == places.sorted()
    }

    @Test("a receipt belongs to the notification of the response and the device, in any other order")
    func orders() async throws {
        let orders = permutations(Step.allCases).filter { !Self.isLost($0) }
        for isDated in [true, false] {
            for order in orders {
                let (message, device) = (story.message(isDated: isDated), UUID())
                for step in order { try await take(step, message, device) }
                let states = try await story.database.query(
                    "SELECT state FROM landfall.delivery WHERE notification_id = $1",
                    [.value(UUID.notification(ofMessage: message, toDevice: device))]
                ) { try $0.get(0, as: Int32.self) }
                #expect(states.count == 1, "\(isDated) \(order)")
            }
        }
        let count = Int64(2 * orders.count)
        #expect(
            try await story.counts() == [
                "attempted": count, "accepted": count, "confirmed": count, "clicked": count,
            ])
        #expect(try await story.verifiedNotifications() == count)
    }

    @Test("a receipt confirms, without counting as the extension's arrival, and a repeat changes nothing")
    func evidence() async throws {
        let (message, device) = (story.message(isDated: false), UUID())
        try await story.register(device)
        let token = MessageStory.token(device)
        #expect(try await story.post(story.response(message, to: token)) == [.accepted])
        #expect(try await story.post(story.receipt(message, of: token)) == [.accepted])
        #expect(try await story.post(story.receipt(message, of: token)) == [.duplicate])
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "confirmed": 1])
    }

    @Test("receipts of one message for two phones are two notifications, in one batch with the responses")
    func batch() async throws {
        let message = story.message(isDated: true)
        let (phone, tablet) = (UUID(), UUID())
        try await story.register(phone)
        try await story.post(
            story.receipt(message, of: MessageStory.token(phone)),
            story.receipt(message, of: MessageStory.token(tablet)),
            story.response(message, to: MessageStory.token(phone)),
            story.response(message, to: MessageStory.token(tablet)))
        #expect(try await story.counts() == ["attempted": 2, "accepted": 2, "confirmed": 2])
        #expect(try await story.verifiedNotifications() == 2)
    }
}
