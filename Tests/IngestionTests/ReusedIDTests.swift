import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import TestDatabase
import Testing

/// Responses whose `notification_id` a push to another device has.
@Suite(.database) struct ReusedIDTests {
    private let story = FactStory()

    /// Posts the events as one batch. Returns which of them got the warning.
    private func post(_ events: Event...) async throws -> [Bool] {
        try await story.writer().write(events.map(FactStory.item)).map { $0.warnings.contains(.reusedID) }
    }

    /// What was counted, and the last example.
    private func counted() async throws -> [String] {
        try await story.database.query(
            "SELECT sum(reused_ids) || ' ' || coalesce(max(reused_id::text), '') FROM landfall.intake_rollup"
        ) { try $0.get(0) }
    }

    @Test("responses to other tokens under one id are named, in one batch and in later ones, new or not")
    func otherToken() async throws {
        let id = UUID()
        let (a, b, c) = ("a1", "b2", "c3")
        #expect(
            try await post(story.response(id, 200, to: a), story.response(id, 200, to: b)) == [false, true])
        #expect(try await post(story.response(id, 200, to: b)) == [true])
        #expect(
            try await post(
                story.response(id, 410, "Unregistered", to: c), story.response(id, 200, to: a),
                story.response(UUID(), 200, to: b), story.response(id, 200)) == [true, false, false, false])
        #expect(try await counted() == ["3 \(id.uuidString.lowercased())"])
    }

    @Test("a push that is sent again to a newer token of its installation has its id to itself")
    func newerToken() async throws {
        let (id, phone) = (UUID(), UUID())
        try await story.register("a1", appVersion: "7.1.0", device: phone)
        try await story.register("c3", appVersion: "7.1.0")
        #expect(try await post(story.response(id, 410, "Unregistered", to: "a1")) == [false])
        try await story.register("b2", appVersion: "7.1.0", at: story.sentAt, device: phone)
        #expect(
            try await post(story.response(id, 200, to: "b2"), story.response(id, 200, to: "c3"))
                == [false, true])
    }

    @Test("a value that was registered under another address after the response is the same token")
    func otherAddress() async throws {
        let id = UUID()
        var elsewhere = ProviderResponse(provider: "apns", status: 200)
        elsewhere.topic = "com.example.other"
        elsewhere.target = .token(
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.other", kind: .alert,
                value: "a1"))
        let first = Event(notificationID: id, sentAt: story.sentAt, content: .response(elsewhere))
        #expect(try await post(first) == [false])
        try await story.register("a1", appVersion: "7.1.0")
        let tokens = try await story.database.query(
            "SELECT count(*) FROM landfall.token"
        ) { try $0.get(0, as: Int64.self) }
        try #require(tokens == [2])
        #expect(try await post(story.response(id, 200, to: "a1")) == [false])
    }

    @Test("a message goes to many tokens under one id")
    func message() async throws {
        let (message, sentAt) = (UUID(), story.sentAt)
        let events = ["a1", "b2"].map { value in
            var response = ProviderResponse(provider: "apns", status: 200)
            response.target = .token(FactStory.address(value))
            return Event(.message(message, deviceID: nil), sentAt: sentAt, content: .response(response))
        }
        #expect(try await post(events[0], events[1]) == [false, false])
        #expect(try await post(events[1]) == [false])
        #expect(try await counted() == ["0 "])
    }

    @Test("the warning follows the row that the sender dated elsewhere than its id")
    func movedRow() async throws {
        let id = MessageStory.id(createdAt: story.sentAt - .hours(3))
        #expect(try await post(story.response(id, 200, to: "a1")) == [false])
        #expect(
            try await post(story.response(id, 200, to: "a1"), story.response(id, 200, to: "b2"))
                == [false, true])
    }
}
