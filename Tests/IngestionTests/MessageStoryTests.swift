import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// One payload for many devices: responses, device events and registrations come together.
@Suite(.database) struct MessageStoryTests {
    private let story = MessageStory()
    private let phone = UUID()
    private let tablet = UUID()

    @Test(
        "registration, response, arrival and click are one notification, in any order",
        arguments: [true, false])
    func orders(isDated: Bool) async throws {
        for order in permutations(MessageStory.Step.allCases) {
            let (message, device) = (story.message(isDated: isDated), UUID())
            for step in order { try await story.take(step, message, device) }
            let rows = try await story.database.query(
                """
                SELECT state, arrived_after_ms, installation.device_id FROM landfall.delivery
                  JOIN landfall.installation USING (installation_id)
                 WHERE notification_id = $1 AND sent_at = $2
                """,
                [.value(UUID.notification(ofMessage: message, toDevice: device)), .value(story.sentAt)]
            ) { try "\($0.get(0, as: Int32.self)) \($0.get(1, as: Int64.self)) \($0.get(2, as: UUID.self))" }
            #expect(rows == ["47 9000 \(device)"], "\(order)")
        }
        #expect(
            try await story.counts() == [
                "attempted": 24, "accepted": 24, "arrived": 24, "confirmed": 24, "clicked": 24,
            ])
        #expect(try await story.verifiedNotifications() == 24)
    }

    @Test("events posted again, in any order and all at once, change nothing")
    func repeats() async throws {
        let messages = [story.message(isDated: true), story.message(isDated: false)]
        let events = messages.flatMap { message in
            [phone, tablet].flatMap { device in
                [
                    story.response(message, to: MessageStory.token(device)),
                    story.report(.arrival, message, by: device), story.report(.click, message, by: device),
                ]
            }
        }
        try await story.post(events[0], events[1], events[4], events[5], events[3])
        try await story.register(phone)
        for event in events { try await story.post(event) }
        try await story.register(tablet)
        let counts = try await story.counts()
        #expect(counts == ["attempted": 4, "accepted": 4, "arrived": 4, "confirmed": 4, "clicked": 4])
        for _ in 0..<2 {
            for event in events.shuffled() { #expect(try await story.post(event) == [.duplicate]) }
        }
        #expect(try await story.counts() == counts)
        #expect(try await story.verifiedNotifications() == 4)
    }

    @Test("one message to two devices is two notifications, and each counts separately")
    func twoDevices() async throws {
        let message = story.message(isDated: false)
        try await story.register(phone)
        try await story.register(tablet)
        let verdicts = try await story.post(
            story.response(message, to: MessageStory.token(phone)),
            story.report(.arrival, message, by: tablet),
            story.response(message, to: MessageStory.token(tablet), status: 410),
            story.response(message, to: MessageStory.token(tablet), status: 410))
        #expect(verdicts == [.accepted, .accepted, .accepted, .duplicate])
        #expect(try await story.counts() == ["attempted": 2, "accepted": 1, "rejected_token_dead": 1])
        #expect(try await story.verifiedNotifications() == 2)
    }

    @Test("a response about a token that no app registers counts once, and device events stay unmatched")
    func nobodysToken() async throws {
        let message = story.message(isDated: true)
        for _ in 0..<3 {
            try await story.post(
                story.response(message, to: "aa11"), story.response(message, to: "AA11".lowercased()),
                story.report(.arrival, message, by: phone))
        }
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "unmatched": 1])
        #expect(try await story.verifiedNotifications() == 2)
    }

    @Test("responses about two tokens of one device are one notification once it has registered both")
    func twoTokens() async throws {
        let message = story.message(isDated: false)
        try await story.post(
            story.response(message, to: "aa11", status: 410), story.response(message, to: "bb22"),
            story.report(.click, message, by: phone))
        #expect(try await story.counts()["attempted"] == 2)
        try await story.register(phone, "aa11", "bb22")
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "confirmed": 1, "clicked": 1])
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test(
        "the token's holder when the response was recorded counts, even if the response is repeated after the token changed hands",
        arguments: [true, false])
    func changedHands(isRegisteredFirst: Bool) async throws {
        let message = story.message(isDated: false)
        let response = story.response(message, to: "aa11")
        if isRegisteredFirst { try await story.register(phone, "aa11") }
        try await story.post(response)
        if !isRegisteredFirst { try await story.register(phone, "aa11") }
        try await story.register(tablet, "aa11")
        #expect(try await story.post(response) == [.duplicate])
        try await story.post(
            story.report(.arrival, message, by: phone), story.report(.arrival, message, by: tablet))
        #expect(
            try await story.counts() == [
                "attempted": 1, "accepted": 1, "arrived": 1, "confirmed": 1, "unmatched": 1,
            ])
        #expect(try await story.verifiedNotifications() == 2)
    }

    @Test(
        "the recipient that a response names is kept, even if another response arrives with a device event and adds nothing"
    )
    func secondResponseBesideReport() async throws {
        let message = story.message(isDated: true)
        var response = ProviderResponse(provider: "apns", status: 200)
        response.target = .device(phone)
        try await story.post(
            Event(.message(message, deviceID: phone), sentAt: story.sentAt, content: .response(response)))
        try await story.register(phone, "aa11")
        try await story.post(
            story.response(message, to: "aa11"), story.report(.click, message, by: phone))
        let targets = try await story.database.query(
            "SELECT token_id, installation_id FROM landfall.delivery"
        ) {
            "\(try $0.getOptional(0, as: Int64.self) as Any) \(try $0.getOptional(1, as: Int64.self) as Any)"
        }
        #expect(targets == ["nil nil"])
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "confirmed": 1, "clicked": 1])
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test(
        "a registration between the lookup of the token and the batch's commit does not leave the response behind"
    )
    func registeredMeanwhile() async throws {
        let message = story.message(isDated: true)
        try await story.post(story.response(message, to: "aa11"))
        // As if the registration had committed after the batch's lookup: nothing claims what waits.
        try await story.register(phone, "aa11", claims: false)
        try await story.post(story.report(.arrival, message, by: phone))
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "unmatched": 1])
        // The repeated response finds that the first one waits and no longer needs to.
        #expect(try await story.post(story.response(message, to: "aa11")) == [.duplicate])
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "arrived": 1, "confirmed": 1])
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test("a thousand responses that waited for one token move together")
    func manyWaiting() async throws {
        let writer = try await story.writer()
        let messages = (0..<1_200).map { story.message(isDated: $0.isMultiple(of: 2)) }
        let items = messages.map {
            BatchItem(
                appID: firstApp, text: [], poster: .server, content: .success(story.response($0, to: "aa11")))
        }
        _ = try await writer.write(items)
        try await story.register(phone, "aa11")
        let moved = try await story.database.count(
            "SELECT count(*) FROM landfall.delivery WHERE installation_id IS NOT NULL AND token_id IS NOT NULL"
        )
        #expect(moved == 1_200)
        #expect(try await story.counts() == ["attempted": 1_200, "accepted": 1_200])
        #expect(try await story.verifiedNotifications() == 1_200)
    }

    @Test("late events of an erased device find the notification, and nothing restores the device")
    func erased() async throws {
        let message = story.message(isDated: false)
        try await story.register(phone)
        try await story.database.pool.withTransaction { [phone] connection in
            _ = try Erasure(appID: firstApp).erase(phone, now: .now, on: connection)
        }
        try await story.post(
            story.report(.arrival, message, by: phone), story.response(message, to: MessageStory.token(phone))
        )
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "arrived": 1, "confirmed": 1])
        #expect(
            try await story.database.count(
                "SELECT count(*) FROM landfall.installation WHERE erased_at IS NULL")
                == 0)
    }
}
