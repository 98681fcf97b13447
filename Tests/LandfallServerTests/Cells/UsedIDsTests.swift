import HTTPTypes
import TestDatabase
import Testing

/// A cell that has used all ids of its range.
@Suite(.database) struct UsedIDsTests {
    @Test("a post that needs an id gets 503 until the cell has further ones")
    func used() async throws {
        try await TestServer.run { server in
            let database = TestDatabase.current
            try await database.execute(
                """
                SELECT setval('landfall.campaign_campaign_id_seq', max_value) FROM landfall.id_sequence
                 WHERE name = 'campaign_campaign_id_seq'
                """)
            let refused = try await server.post(acceptedPush(1))
            #expect(refused.status == 503 && refused.code == "ids_used_up")
            #expect(refused.headers[.retryAfter] != nil)
            #expect(refused.text.contains("landfall migrate"))
            try await database.execute("ALTER SEQUENCE landfall.campaign_campaign_id_seq RESTART")
            #expect(try await server.post(acceptedPush(1)).counts == [1, 0, 0])
        }
    }
}
