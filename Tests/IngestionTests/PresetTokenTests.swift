import Basics
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Presets
import TestDatabase
import Testing

/// What other senders post, as it is, and what becomes of the tokens in it.
@Suite(.database) struct PresetTokenTests {
    private let story = TokenStory()
    private let apple = String(repeating: "80f4d1a6", count: 8)
    /// An id of the time before any registration of these tests.
    private let sentBefore = MessageStory.id(createdAt: .now - .hours(3))

    /// Posts a body and returns the code of each item that was rejected.
    @discardableResult
    private func post(_ preset: String, _ body: String, after span: Span = .seconds(0)) async throws
        -> [String]
    {
        let now = story.now + span
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: story.vault, taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "test"))
        let post = PresetPost(headers: [:], body: Array(body.utf8), secret: nil, now: now)
        let validator = EventValidator(appID: firstApp, poster: .server, now: now, taxonomy: taxonomy)
        let items = try #require(Preset.named(preset)).read(post).items.map { item in
            guard case .event(let bytes) = item else {
                Issue.record("\(preset) could not read \(body)")
                return BatchItem(
                    appID: firstApp, text: [], content: .failure(ItemRejection(.invalidJSON, "unread")))
            }
            return BatchItem(
                appID: firstApp, text: bytes[...], poster: .server, content: validator.decode(bytes[...]))
        }
        return try await writer.write(items).compactMap { verdict in
            guard case .rejected(let rejection) = verdict.outcome else { return nil }
            return "\(rejection.code.rawValue): \(rejection.detail)"
        }
    }

    private func gorush(_ type: String, error: String, id: UUID = UUID()) -> String {
        #"{"notif_id":"\#(id)","type":"\#(type)","platform":"ios","token":"\#(apple)","message":"Hi","error":"\#(error)"}"#
    }

    @Test("gorush's hook retires a token that is gone, and keeps one that was registered since the push")
    func unregistered() async throws {
        try await story.register(apple, on: UUID(), .hours(1))
        #expect(try await post("gorush", gorush("failed-push", error: "Unregistered", id: sentBefore)) == [])
        #expect(try await story.state(apple) == "active")
        #expect(try await post("gorush", gorush("failed-push", error: "Unregistered")) == [])
        #expect(try await story.state(apple) == "retired/unregistered")
    }

    @Test("gorush's other errors keep the token, or make it suspect; a success keeps it in use")
    func others() async throws {
        try await story.register(apple, on: UUID(), .hours(1))
        for error in ["ExpiredProviderToken", "PayloadTooLarge", "Post: context deadline exceeded", "Novel"] {
            #expect(try await post("gorush", gorush("failed-push", error: error)) == [])
            #expect(try await story.state(apple) == "active", "\(error)")
        }
        #expect(try await post("gorush", gorush("failed-push", error: "BadDeviceToken")) == [])
        #expect(try await story.state(apple)?.hasPrefix("suspect") == true)
        let success = gorush("succeeded-push", error: "")
        #expect(try await post("gorush", success, after: .seconds(1)) == [])
        #expect(try await story.state(apple) == "active")
    }

    @Test("SNS, Customer.io, Huawei and Expo: a dead token retires by the words that each passes on")
    func dead() async throws {
        try await story.register(apple, on: UUID(), .hours(1))
        let seconds = story.now.millisecondsSinceEpoch / 1_000
        let sent = String(story.now.rfc3339.replacing("T", with: " ").dropLast())
        let id = UUID()
        #expect(
            try await post(
                "sns",
                #"{"notification":{"messageId":"\#(id)","timestamp":"\#(sent)"},"delivery":{"token":"\#(apple)","statusCode":410,"#
                    + #""destination":"arn:aws:sns:eu-west-1:1:endpoint/APNS/Shop/1","providerResponse":"{\"reason\":\"Unregistered\"}"},"#
                    + #""status":"FAILURE"}"#) == [])
        #expect(try await story.state(apple) == "retired/unregistered")

        let bounced = String(repeating: "91e5c2b7", count: 8)
        try await story.register(bounced, on: UUID(), .hours(1))
        #expect(
            try await post(
                "customerio",
                #"{"object_type":"push","metric":"bounced","timestamp":\#(seconds),"data":{"delivery_id":"\#(UUID())","#
                    + #""failure_message":"Unregistered","recipients":[{"device_id":"\#(bounced)"}]}}"#) == []
        )
        #expect(try await story.state(bounced) == "retired/unregistered")

        let token = "IQAAAACy0tYtAAB1zNf3Q9xR7vEabcdefghijk"
        let milliseconds = story.now.millisecondsSinceEpoch
        for (status, state) in [(0, nil), (6, "active"), (2, "retired/unregistered")] {
            #expect(
                try await post(
                    "huawei",
                    #"{"statuses":[{"biTag":"\#(id)","token":"\#(token)","status":\#(status),"timestamp":\#(milliseconds)}]}"#
                ) == [])
            if let state { #expect(try await story.state(token) == state, "\(status)") }
        }

        let expo = "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]"
        #expect(
            try await post(
                "expo",
                #"{"messages":[{"to":"\#(expo)","data":{"notification_id":"\#(UUID())"}}],"#
                    + #""tickets":[{"status":"error","details":{"error":"DeviceNotRegistered"}}]}"#) == [])
        let retired = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.token WHERE state = 'retired'")
        #expect(retired == 4)
    }
}
