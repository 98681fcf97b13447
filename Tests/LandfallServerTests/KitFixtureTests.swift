import Access
import DeliveryModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import PostgresClient
import TestDatabase
import Testing

/// What the device kit can post, in the files with which its own tests compare what it posts.
@Suite(.database) struct KitFixtureTests {
    private func items(_ name: String) throws -> [[String: Any]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Kit/Tests/LandfallCoreTests/Fixtures/\(name).json")
        let items = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]]
        return try #require(items)
    }

    private func bytes(_ object: Any) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object))
    }

    @Test("every event is recorded, and so is every response of a sender")
    func events() async throws {
        // Ids without a time, so the events are dated by their receipt, whenever this runs.
        let events = try items("events").map { item in
            var item = item
            for field in ["notification_id", "message_id"] {
                item[field] = (item[field] as? String)?.replacingOccurrences(of: "-7000-", with: "-4000-")
            }
            return item
        }
        let responses = try items("responses").map { item in
            var item = item
            item["sent_at"] = Int64(Date().timeIntervalSince1970 * 1_000)
            for field in ["notification_id", "message_id"] {
                item[field] = (item[field] as? String)?.replacingOccurrences(of: "-7000-", with: "-4000-")
            }
            return item
        }
        let (eventBytes, responseBytes) = (try bytes(events), try bytes(responses))
        let (eventCount, responseCount) = (events.count, responses.count)
        try await TestServer.run { server async throws in
            for (body, kind, count) in [
                (eventBytes, APIKey.Kind.device, eventCount), (responseBytes, .server, responseCount),
            ] {
                let response = try await server.post(body, as: kind)
                #expect(response.status == 200)
                #expect(response.counts[0] + response.counts[1] == count)
                #expect(response.itemErrors == [])
            }
        }
    }

    @Test("every registration is recorded")
    func registrations() async throws {
        let bodies = try items("registrations").map { try bytes($0) }
        try await TestServer.run { server async throws in
            for body in bodies {
                let response = try await server.send(.put, "/v1/devices/\(UUID())", body, as: .device)
                #expect(response.status == 200)
            }
        }
        let facts = try await TestDatabase.current.query(
            """
            SELECT concat_ws(' ', kit, coalesce(array_to_string(turned_off, '+'), '-'), registration_error)
              FROM landfall.installation ORDER BY installation_id
            """
        ) { try $0.get(0, as: String.self) }
        #expect(facts == ["0.1.0 - ", "0.1.0 sound+lock_screen ", "0.1.0 - NSCocoaErrorDomain 3000"])
    }

    @Test("a registration that got a token ends an earlier error, and keeps what is not mentioned")
    func errorEnds() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(
                phone,
                #"{"registration_error":"NSCocoaErrorDomain 3000","kit":"0.1.0","settings":{"alert":false}}"#)
            // An empty object says nothing.
            _ = try await server.put(phone, #"{"registration_error":"x","settings":{}}"#)
            _ = try await server.put(phone, #"{"tokens":[{"value":"\#(tokenValue(1))"}]}"#)
        }
        let facts = try await TestDatabase.current.query(
            "SELECT concat_ws(' ', kit, array_to_string(turned_off, '+'), registration_error) FROM landfall.installation"
        ) { try $0.get(0, as: String.self) }
        #expect(facts == ["0.1.0 alert "])
    }

    @Test(
        "settings and errors of a wrong type are left out, with a warning",
        arguments: [
            #"{"settings":[]}"#, #"{"settings":{"alert":"yes"}}"#, #"{"registration_error":[]}"#,
            #"{"kit":{}}"#,
        ])
    func wrongTypes(body: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.send(.put, "/v1/devices/\(UUID())", Array(body.utf8), as: .device)
            #expect(response.status == 200)
            #expect(response.warningCodes == ["unread_field"])
        }
    }
}
