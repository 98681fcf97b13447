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

    /// The state of the row under the id of message and device; `nil` if there is none.
    private func state(_ message: UUID, _ device: UUID) async throws -> [Int32] {
        try await story.database.query(
            "SELECT state FROM landfall.delivery WHERE notification_id = $1",
            [.value(UUID.notification(ofMessage: message, toDevice: device))]
        ) { try $0.get(0, as: Int32.self) }
    }

    @Test("a receipt belongs to the notification of the response and the device, in any order")
    func orders() async throws {
        let orders = permutations(Step.allCases)
        for isDated in [true, false] {
            var states: Set<[Int32]> = []
            for order in orders {
                let (message, device) = (story.message(isDated: isDated), UUID())
                for step in order { try await take(step, message, device) }
                let state = try await state(message, device)
                #expect(state.count == 1, "\(isDated) \(order)")
                states.insert(state)
            }
            #expect(states.count == 1)
        }
        let count = Int64(2 * orders.count)
        #expect(
            try await story.counts() == [
                "attempted": count, "accepted": count, "confirmed": count, "clicked": count,
            ])
        #expect(try await story.verifiedNotifications() == count)
    }

    private enum Change: CaseIterable {
        case register, move, response, receipt
    }

    /// The device that the notification is for: the token's holder when the first response or receipt is
    /// recorded, or else the first one since.
    private static func recipient(_ order: [Change], _ devices: [Change: UUID]) -> UUID? {
        let decision = order.prefix { $0 != .response && $0 != .receipt }
        let later = order.dropFirst(decision.count)
        return decision.compactMap { devices[$0] }.last ?? later.compactMap { devices[$0] }.first
    }

    @Test("a token that changes hands, in any order with its response and receipt, leaves none unmatched")
    func changedHands() async throws {
        let orders = permutations(Change.allCases)
        var states: Set<[Int32]> = []
        for isDated in [true, false] {
            for order in orders {
                let message = story.message(isDated: isDated)
                let devices = [Change.register: UUID(), .move: UUID()]
                let token = MessageStory.token(message)
                for change in order {
                    switch change {
                    case .register, .move: try await story.register(try #require(devices[change]), token)
                    case .response: try await story.post(story.response(message, to: token))
                    case .receipt: try await story.post(story.receipt(message, of: token))
                    }
                }
                let device = try #require(Self.recipient(order, devices))
                let state = try await state(message, device)
                #expect(state.count == 1, "\(isDated) \(order)")
                states.insert(state)
            }
        }
        #expect(states.count == 1)
        let count = Int64(2 * orders.count)
        #expect(
            try await story.counts() == ["attempted": count, "accepted": count, "confirmed": count])
        #expect(try await story.verifiedNotifications() == count)
    }

    @Test("a response may state another time than its message's id, or name the device itself, in any order")
    func otherResponses() async throws {
        var count: Int64 = 0
        for order in permutations([Step.register, .receipt, .response]) {
            for namesDevice in [true, false] {
                let message = MessageStory.id(createdAt: story.sentAt - .hours(30))
                let device = UUID()
                for step in order {
                    if step == .response, namesDevice {
                        try await story.post(response(message, toDevice: device))
                    } else {
                        try await take(step, message, device)
                    }
                }
                count += 1
                #expect(
                    try await story.counts() == [
                        "attempted": count, "accepted": count, "confirmed": count,
                    ], "\(order) \(namesDevice)")
            }
        }
        #expect(try await story.verifiedNotifications() != nil)
    }

    private func response(_ message: UUID, toDevice device: UUID) -> Event {
        var response = ProviderResponse(provider: "apns", status: 200)
        response.target = .device(device)
        return Event(
            .message(message, deviceID: device), sentAt: story.sentAt, content: .response(response))
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
