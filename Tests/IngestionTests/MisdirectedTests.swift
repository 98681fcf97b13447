import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// Events of other installations than the one that the push went to.
@Suite(.database) struct MisdirectedTests {
    enum Dating: CaseIterable {
        /// The id contains the time of sending, another quarter hour, or no time.
        case byID, elsewhere, byResponse
    }

    private let story = MessageStory()
    private let phone = UUID()
    private let tablet = UUID()

    private func id(_ dating: Dating) -> UUID {
        switch dating {
        case .byID: MessageStory.id(createdAt: story.sentAt)
        case .elsewhere: MessageStory.id(createdAt: story.sentAt - .hours(2))
        case .byResponse: UUID()
        }
    }

    private func response(_ id: UUID, to device: UUID, mutableContent: Bool? = nil) -> Event {
        var event = story.response(id, to: MessageStory.token(device))
        event.name = .notification(id)
        if case .response(var response) = event.content {
            response.mutableContent = mutableContent
            event.content = .response(response)
        }
        return event
    }

    private func report(_ kind: DeviceReport.Kind, _ id: UUID, by device: UUID?) -> Event {
        var report = DeviceReport(kind: kind)
        report.deviceID = device
        report.occurredAt = story.sentAt + .seconds(9)
        return Event(.notification(id), sentAt: id.versionSevenInstant, content: .device(report))
    }

    private func state(_ id: UUID) async throws -> [DeliveryState] {
        try await story.database.query(
            "SELECT state FROM landfall.delivery WHERE notification_id = $1 AND state <> 0", [.value(id)]
        ) { DeliveryState(rawValue: try $0.get(0)) }
    }

    @Test(
        "add one bit and none of their own, in any order, in batches of any size, and repeated",
        arguments: Dating.allCases)
    func orders(dating: Dating) async throws {
        try await story.register(phone)
        try await story.register(tablet)
        let known: DeliveryState = [.attempted, .accepted, .canReport]
        let writer = try await story.writer()
        func write(_ events: some Sequence<Event>) async throws {
            _ = try await writer.write(
                events.map { BatchItem(appID: firstApp, text: [], content: .success($0)) })
        }
        var count: Int64 = 0
        for batchSize in 1...4 {
            for order in permutations([0, 1, 2, 3]) {
                let id = id(dating)
                let events = [
                    response(id, to: phone), report(.arrival, id, by: tablet), report(.click, id, by: tablet),
                    report(.click, id, by: batchSize.isMultiple(of: 2) ? nil : phone),
                ]
                for start in stride(from: 0, to: 4, by: batchSize) {
                    try await write(order[start..<min(start + batchSize, 4)].map { events[$0] })
                }
                #expect(try await state(id) == [known.union([.clicked, .misdirected])], "\(order)")
                try await write(events)
                for event in events.reversed() { try await write([event]) }
                #expect(try await state(id) == [known.union([.clicked, .misdirected])], "\(order), repeated")
                count += 1
            }
        }
        #expect(
            try await story.counts() == [
                "attempted": count, "accepted": count, "confirmed": count, "clicked": count,
                "misdirected": count,
            ])
        #expect(try await story.verifiedNotifications() == count)
    }

    @Test("count if they name no registered device, and before the provider's response is known")
    func unnamed() async throws {
        try await story.register(phone)
        let id = UUID()
        try await story.post(response(id, to: phone), report(.arrival, id, by: nil))
        try await story.post(report(.click, id, by: tablet))
        #expect(try await story.counts()["clicked"] == 1)
        try await story.register(tablet)
        let other = id
        try await story.post(report(.click, other, by: tablet))
        #expect(try await story.counts()["clicked"] == 1)
        #expect(try await story.counts()["misdirected"] == 1)
        try await story.post(report(.arrival, UUID(), by: tablet))
        #expect(try await story.counts()["unmatched"] == 1)
        #expect(try await story.verifiedNotifications() == 2)
    }

    @Test("are taken back, with their latency, if the token's installation is known only by a later response")
    func takenBack() async throws {
        try await story.register(tablet)
        let id = UUID()
        try await story.post(response(id, to: phone, mutableContent: false))
        try await story.post(report(.arrival, id, by: tablet), report(.click, id, by: tablet))
        #expect(try await story.counts()["clicked"] == 1)
        try await story.register(phone)
        try await story.post(response(id, to: phone))
        #expect(try await story.counts() == ["attempted": 1, "accepted": 1, "misdirected": 1])
        #expect(try await story.verifiedNotifications() == 1)
        try await story.post(report(.arrival, id, by: phone))
        #expect(
            try await story.counts() == [
                "attempted": 1, "accepted": 1, "arrived": 1, "confirmed": 1, "misdirected": 1,
            ])
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test("are taken back when the device of a message registers and its response no longer waits")
    func waiting() async throws {
        try await story.register(tablet)
        let message = UUID()
        let id = UUID.notification(ofMessage: message, toDevice: phone)
        try await story.post(report(.arrival, id, by: tablet), report(.click, id, by: nil))
        try await story.post(story.response(message, to: MessageStory.token(phone)))
        try await story.register(phone)
        #expect(
            try await story.counts() == [
                "attempted": 1, "accepted": 1, "confirmed": 1, "clicked": 1, "misdirected": 1,
            ])
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test("are new once, are a sign of life of their own installation, and none of the push's token")
    func verdicts() async throws {
        try await story.register(phone)
        try await story.register(tablet)
        let id = UUID()
        try await story.post(response(id, to: phone))
        try await story.database.execute(
            "UPDATE landfall.installation SET last_sign_of_life_at = last_sign_of_life_at - interval '9 days'"
        )
        try await story.database.execute(
            "UPDATE landfall.token SET last_sign_of_life_at = last_sign_of_life_at - interval '9 days'")
        #expect(try await story.post(report(.arrival, id, by: tablet)) == [.accepted])
        #expect(try await story.post(report(.click, id, by: tablet)) == [.duplicate])
        let heard = try await story.database.query(
            """
            SELECT device_id FROM landfall.installation WHERE last_sign_of_life_at > now() - interval '8 days'
            """
        ) { try $0.get(0, as: UUID.self) }
        #expect(heard == [tablet])
        #expect(
            try await story.database.count(
                "SELECT count(*) FROM landfall.token WHERE last_sign_of_life_at > now() - interval '8 days'")
                == 0)
    }

    @Test("tell which of a batch were new when the response in it settles earlier ones")
    func verdictsOfSettlement() async throws {
        try await story.register(phone)
        try await story.register(tablet)
        let id = UUID()
        #expect(try await story.post(report(.arrival, id, by: tablet)) == [.accepted])
        let outcomes = try await story.post(
            report(.arrival, id, by: tablet), response(id, to: phone), report(.arrival, id, by: phone),
            report(.arrival, id, by: phone))
        #expect(outcomes == [.duplicate, .accepted, .accepted, .duplicate])
        #expect(try await story.counts()["arrived"] == 1)
        #expect(try await story.verifiedNotifications() == 1)
    }

    @Test(
        "do not make a row long, however many installations report before the response, and displace no older one"
    )
    func bounded() async throws {
        try await story.register(phone)
        let others = (0..<70).map { _ in UUID() }
        for other in others { try await story.register(other, claims: false) }
        let (id, second) = (UUID(), UUID())
        for other in others { try await story.post(report(.click, id, by: other)) }
        try await story.post(report(.arrival, id, by: nil))
        try await story.post(report(.arrival, id, by: phone))
        #expect(
            try await story.database.count(
                "SELECT max(cardinality(reporters))::bigint FROM landfall.delivery") == 65)
        try await story.post(response(id, to: phone))
        try await story.post(response(second, to: phone))
        #expect(try await state(id) == [[.attempted, .accepted, .canReport, .arrived, .misdirected]])
        #expect(try await state(second) == [[.attempted, .accepted, .canReport]])
        #expect(try await story.verifiedNotifications() == 2)
    }
}
