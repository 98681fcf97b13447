import Access
import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Ids that are not UUIDs, on every path from a post to the page that explains it.
@Suite(.database) struct TextIDTests {
    private static let address =
        #""provider":"apns","status":200,"topic":"com.example.shop","campaign":"spring""#

    /// - Parameter id: JSON.
    private func response(_ id: String, _ number: Int, _ field: String = "notification_id") -> String {
        """
        {"type":"response","\(field)":\(id),"sent_at":\(Instant.now.millisecondsSinceEpoch - 60_000),\(Self.address),\
        "token":"\(tokenValue(number))"}
        """
    }

    private func measure(_ column: String) async throws -> Int64 {
        try await TestDatabase.current.count("SELECT coalesce(sum(\(column)), 0)::bigint FROM public.counted")
    }

    /// The ids of all rows.
    private func ids() async throws -> Set<UUID> {
        Set(
            try await TestDatabase.current.query(
                "SELECT notification_id FROM landfall.delivery WHERE state <> 0"
            ) { try $0.get(0, as: UUID.self) })
    }

    private func expectNoDifference() async throws {
        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    @Test(
        "a sender's response and a device's events with one text are one notification, in any order, in any spelling"
    )
    func sameRow() async throws {
        let spellings = [
            (#""order-4711""#, #"" order-4711 ""#), ("4711", #""4711""#), (#""Caf\u00e9""#, #""Cafe\u0301""#),
            (#""projects/p/messages/0:17%31""#, #""projects\/p\/messages\/0:17%31""#),
        ]
        try await TestServer.run { server async throws in
            for (number, (chosen, posted)) in spellings.enumerated() {
                let arrival = #"{"type":"arrival","notification_id":\#(posted)}"#
                let click = #"{"type":"click","notification_id":\#(chosen)}"#
                let response = response(chosen, number)
                for event in number.isMultiple(of: 2)
                    ? [response, arrival, click] : [arrival, click, response]
                {
                    let isResponse = event == response
                    #expect(
                        try await server.post(event, as: isResponse ? .server : .device).counts == [1, 0, 0])
                    #expect(
                        try await server.post(event, as: isResponse ? .server : .device).counts == [0, 1, 0])
                }
            }
            let texts = ["order-4711", "4711", "Caf\u{E9}", "projects/p/messages/0:17%31"]
            #expect(try await ids() == Set(try texts.map { try ChosenID($0).uuid(inApp: server.app.appID) }))
        }
        for (column, expected) in [
            ("attempted", 4), ("accepted", 4), ("arrived", 4), ("clicked", 4), ("unmatched", 0),
        ] as [(String, Int64)] {
            #expect(try await measure(column) == expected, "\(column)")
        }
        try await expectNoDifference()
    }

    @Test("with one text as message_id, each device's events meet the response to its token")
    func messages() async throws {
        let phones = (0..<2).map { _ in UUID() }
        try await TestServer.run { server async throws in
            for (number, phone) in phones.enumerated() {
                let registration =
                    #"{"tokens":[{"value":"\#(tokenValue(number))","topic":"com.example.shop"}]}"#
                let response = response(#""news 7""#, number, "message_id")
                // The second response waits for the registration of its token.
                if number == 1 { #expect(try await server.post(response).counts == [1, 0, 0]) }
                #expect(try await server.put(phone, registration).status == 200)
                if number == 0 { #expect(try await server.post(response).counts == [1, 0, 0]) }
                let arrival = #"{"type":"arrival","message_id":"news 7","device_id":"\#(phone)"}"#
                #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
            }
            let message = try ChosenID("news 7").uuid(inApp: server.app.appID)
            #expect(
                try await ids() == Set(phones.map { .notification(ofMessage: message, toDevice: $0) }))
        }
        #expect(try await measure("arrived") == 2)
        #expect(try await measure("unmatched") == 0)
        try await expectNoDifference()
    }

    @Test(
        "a response without sent_at is rejected with the field to add, and words for nothing with the id to use"
    )
    func rejected() async throws {
        try await TestServer.run { server async throws in
            let undated = #"{"type":"response","notification_id":"order-4711",\#(Self.address),"token":"aa"}"#
            let rejected = try await server.post(undated)
            #expect(
                rejected.status == 422 && rejected.text.contains("sent_at is required if notification_id"))
            let absent = try await server.post(
                #"{"type":"arrival","notification_id":"undefined"}"#, as: .device)
            #expect(
                absent.status == 422 && absent.text.contains("the id that the sender put into the payload"))
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item") == 2)
    }

    @Test(
        "the console explains a notification by its text, of a link and of the form, and a message by its device's"
    )
    func explained() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            #expect(try await server.post(response(#""order-4711""#, 1)).counts == [1, 0, 0])
            let arrival = #"{"type":"arrival","message_id":"news 7","device_id":"\#(phone)"}"#
            #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
            let visitor = try await ConsoleVisitor.signedIn(server)
            for page in [
                try await visitor.act("/apps/shop/explain", ["subject": " order-4711 "]),
                try await visitor.get("/apps/shop/explain?notification=order-4711"),
            ] {
                #expect(page.status == 200 && page.text.contains("spring"))
            }
            let message = try await visitor.act(
                "/apps/shop/explain", ["subject": "news 7", "device": "\(phone)"])
            #expect(message.text.contains("unmatched"))
            let unknown = try await visitor.act("/apps/shop/explain", ["subject": "order-4712"])
            #expect(unknown.text.contains("&#39;shop&#39; has no"))
            #expect(try await visitor.get("/apps/shop/explain?notification=null").status == 400)
        }
    }
}
