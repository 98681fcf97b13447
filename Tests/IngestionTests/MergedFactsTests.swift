import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

@testable import Ingestion

/// How the facts of several responses to a push are merged.
@Suite("Facts of responses", .database) struct MergedFactsTests {
    private let story = FactStory()
    private let id = UUID(uuidString: "00000000-0000-4000-8000-000000000001") ?? UUID()

    private func response(_ status: Int, _ state: (inout DeliveryFacts) -> Void) -> Event {
        var event = story.response(id, status)
        guard case .response(var response) = event.content else { return event }
        state(&response.facts)
        event.content = .response(response)
        return event
    }

    private func facts() async throws -> [String] {
        try await story.database.query(
            """
            SELECT concat_ws(' ', coalesce((extract(EPOCH FROM expires_at) * 1000)::bigint::text, '-'), coalesce(sender, '-'),
                             coalesce(provider_id, '-'), coalesce(content_available::text, '-'))
              FROM landfall.delivery WHERE state <> 0
            """
        ) { try $0.get(0, as: String.self) }
    }

    private var expiresAt: Instant { Instant(millisecondsSinceEpoch: 1_795_424_400_000) }

    private var full: Event {
        response(200) {
            $0.expiresAt = expiresAt
            $0.sender = "checkout"
            $0.providerID = "17"
            $0.contentAvailable = false
        }
    }

    private func forget() async throws {
        _ = try await story.database.query("DELETE FROM landfall.delivery") { _ in }
        _ = try await story.database.query("DELETE FROM landfall.notification_date") { _ in }
        _ = try await story.database.query(
            "TRUNCATE landfall.counter_live, landfall.latency_rollup, landfall.version_rollup"
        ) { _ in }
    }

    @Test("stay, whichever of the notification's events comes first, and however often it is repeated")
    func order() async throws {
        let events = [
            full, story.report(.arrival, id, after: .seconds(2), isDated: false),
            story.report(.click, id, after: .seconds(9)),
        ]
        for order in permutations(events) {
            try await story.post(order + order)
            #expect(try await facts() == ["1795424400000 checkout 17 false"])
            let verification = try await story.database.pool.withConnection { try Verification.run(on: $0) }
            #expect(verification.differenceCount == 0)
            try await forget()
            _ = try await story.writer().write((order + order).map(FactStory.item))
            #expect(try await facts() == ["1795424400000 checkout 17 false"])
            try await forget()
        }
    }

    @Test("are those of the first response; a later one adds what the first did not state, a repeat nothing")
    func several() async throws {
        let first = response(429) { $0.expiresAt = expiresAt }
        let second = response(200) {
            $0.expiresAt = expiresAt + .seconds(60)
            $0.contentAvailable = false
        }
        let repeated = response(200) {
            $0.contentAvailable = true
            $0.sender = "repeated"
        }
        try await story.post([first, second, repeated])
        #expect(try await facts() == ["1795424400000 - - false"])
        try await forget()
        _ = try await story.writer().write([first, second].map(FactStory.item))
        #expect(try await facts() == ["1795424400000 - - false"])
        try await forget()
        try await story.post([second, first])
        #expect(try await facts() == ["1795424460000 - - false"])
    }

    private func receipt(_ state: (inout DeliveryFacts) -> Void) -> Event {
        var event = response(410, state)
        guard case .response(var response) = event.content else { return event }
        response.isFinal = true
        event.content = .response(response)
        return event
    }

    @Test("name the sender and the provider's id of the response that counts, whichever comes first")
    func counted() async throws {
        let rejected = response(429) { ($0.sender, $0.providerID) = ("first", "16") }
        let accepted = response(200) { ($0.sender, $0.providerID) = ("second", "17") }
        let full = receipt { ($0.sender, $0.providerID) = ("third", "18") }
        let bare = receipt { $0.expiresAt = expiresAt }
        for (events, expected) in [
            ([rejected, accepted], "- second 17 -"), ([accepted, full], "- third 18 -"),
            ([rejected, accepted, full], "- third 18 -"),
            ([rejected, accepted, bare], "1795424400000 - - -"),
        ] {
            for order in permutations(events) {
                try await story.post(order + order)
                #expect(try await facts() == [expected])
                try await forget()
                _ = try await story.writer().write((order + order).map(FactStory.item))
                #expect(try await facts() == [expected])
                try await forget()
            }
        }
    }

    @Test("of a row that moves are those of the response that counts, whichever row has it")
    func earlierRow() {
        func record(_ rank: Int16, _ sender: String) -> DeliveryRecord {
            let key = DeliveryKey(notificationID: id, appID: firstApp, sentAt: expiresAt)
            var record = DeliveryRecord(key: key, isDatedByID: false)
            record.responseRank = rank
            record.facts.sender = sender
            return record
        }
        let ranks: [(Int16, earlier: Int16, sender: String)] = [(0, 3, "new"), (3, 0, "old"), (3, 3, "new")]
        for (rank, earlier, sender) in ranks {
            var merged = record(rank, "new")
            merged.add(earlier: record(earlier, "old"))
            #expect(merged.facts.sender == sender)
        }
    }

    @Test("move with a response that waited until its token was registered")
    func moved() async throws {
        let story = MessageStory()
        let (message, device) = (story.message(isDated: true), UUID())
        var event = story.response(message, to: MessageStory.token(device))
        guard case .response(var response) = event.content else { return }
        response.facts.sender = "checkout"
        response.facts.expiresAt = expiresAt
        event.content = .response(response)
        _ = try await story.writer().write([FactStory.item(event)])
        #expect(try await facts() == ["1795424400000 checkout - -"])
        try await story.register(device)
        #expect(try await facts() == ["1795424400000 checkout - -"])
    }

    @Test("are the last fields of the row type in which they are sent, in one order")
    func rowType() async throws {
        let fields = try await story.database.query(
            """
            SELECT attname::text FROM pg_attribute WHERE attrelid = $1::text::regclass ORDER BY attnum
            """, [.value(DeliveryFact.rowType)]
        ) { try $0.get(0, as: String.self) }
        #expect(Array(fields.suffix(DeliveryFact.all.count)) == DeliveryFact.all.map(\.column))
    }
}
