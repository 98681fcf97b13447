import Foundation
import PostgresClient
import TestDatabase
import Testing

/// What a response states of its push that nothing counts: when it expires, who sent it, the provider's id,
/// and whether it wakes the app.
@Suite(.database) struct ResponseFactsTests {
    private func recorded() async throws -> [String] {
        try await TestDatabase.current.query(
            """
            SELECT concat_ws(' ', coalesce((extract(EPOCH FROM expires_at) * 1000)::bigint::text, '-'), coalesce(sender, '-'),
                             coalesce(provider_id, '-'), coalesce(content_available::text, '-'))
              FROM landfall.delivery ORDER BY 1
            """
        ) { try $0.get(0, as: String.self) }
    }

    @Test(
        "they are recorded, in each of the forms in which senders have them",
        arguments: [
            (
                #""expires_at":1795424400000,"sender":"checkout","provider_id":"projects/shop/messages/0:17","content_available":true"#,
                "1795424400000 checkout projects/shop/messages/0:17 true"
            ),
            (
                #""expires_at":"2026-11-23T09:00:00Z","sender":7,"provider_id":17,"content_available":0"#,
                "1795424400000 7 17 false"
            ),
            (#""content_available":"1""#, "- - - true"),
            (#""expires_at":0,"sender":"","provider_id":null,"content_available":null"#, "- - - -"),
            (
                #""sender":"\#(String(repeating: "ä", count: 64))""#,
                "- \(String(repeating: "ä", count: 64)) - -"
            ),
        ])
    func forms(fields: String, expected: String) async throws {
        try await TestServer.run { server async throws in
            let item = PostedResponse(server, "apns").item(#""status":200,\#(fields)"#)
            let response = try await server.post(item)
            #expect(response.counts == [1, 0, 0])
            #expect(!response.warnings.contains { $0.hasPrefix("unread_field") }, "\(response.text)")
            #expect(try await server.post(item).counts == [0, 1, 0])
        }
        #expect(try await recorded() == [expected])
    }

    @Test("one that cannot be read is left out, with a warning that says what it must be")
    func unreadable() async throws {
        try await TestServer.run { server async throws in
            for (fields, fix) in [
                (#""expires_at":1772000000"#, "milliseconds (not seconds) since 1970"),
                (#""sender":"\#(String(repeating: "x", count: 65))""#, "at most 64 characters"),
                (#""sender":\#(String(repeating: "1", count: 65))"#, "at most 64 characters"),
                (#""provider_id":"\#(String(repeating: "x", count: 256))""#, "at most 255 characters"),
                (#""content_available":"always""#, "true or false"),
            ] {
                let response = try await server.post(
                    PostedResponse(server, "apns").item(#""status":200,\#(fields)"#))
                #expect(response.counts == [1, 0, 0])
                let warning = response.warnings.first { $0.hasPrefix("unread_field") }
                #expect(warning?.contains(fix) == true, "\(response.text)")
            }
        }
        #expect(try await recorded() == Array(repeating: "- - - -", count: 5))
    }
}
