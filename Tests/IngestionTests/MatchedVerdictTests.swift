import DeliveryModel
import Foundation
import Ingestion
import TestDatabase
import Testing

/// Verdicts say whether a response to the notification is known.
@Suite(.database) struct MatchedVerdictTests {
    private let story = FactStory()

    private func arrival(_ id: UUID, sentAt: Instant? = nil) -> Event {
        Event(notificationID: id, sentAt: sentAt, content: .device(DeviceReport(kind: .arrival)))
    }

    private func response(_ id: UUID) -> Event {
        Event(
            notificationID: id, sentAt: .now - .hours(1),
            content: .response(ProviderResponse(provider: "apns", status: 200)))
    }

    private func post(_ events: Event...) async throws -> [Verdict] {
        let items = events.map { event in
            if case .device = event.content {
                return BatchItem(appID: firstApp, text: [], poster: .device, content: .success(event))
            }
            return FactStory.item(event)
        }
        return try await story.writer().write(items)
    }

    @Test("a device event is matched once the response is recorded, also if it says nothing new")
    func matched() async throws {
        let (id, forged) = (UUID(), UUID())
        let unmatched = try await post(arrival(id), arrival(forged))
        #expect(unmatched.map(\.outcome) == [.accepted, .accepted])
        #expect(unmatched.map(\.isMatched) == [false, false])
        #expect(try await post(arrival(id)).map(\.isMatched) == [false])
        _ = try await post(response(id))
        let repeated = try await post(arrival(id), arrival(forged), arrival(id))
        #expect(repeated.map(\.outcome) == [.duplicate, .duplicate, .duplicate])
        #expect(repeated.map(\.isMatched) == [true, false, true])
    }

    @Test("a response and the device event in one batch match")
    func together() async throws {
        let id = UUID()
        let verdicts = try await post(arrival(id), response(id), arrival(id))
        #expect(verdicts.map(\.outcome) == [.accepted, .accepted, .duplicate])
        #expect(verdicts.map(\.isMatched) == [true, true, true])
    }
}
