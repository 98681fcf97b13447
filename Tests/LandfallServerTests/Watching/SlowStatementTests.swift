import HTTPTypes
import TestDatabase
import Testing

/// A database that takes too long for large batches, as PostgreSQL reports it.
@Suite(.database) struct SlowStatementTests {
    /// Makes the statement that writes notifications fail as if it had been canceled, if it has more than
    /// this many.
    private func limitBatches(to items: Int) async throws {
        try await TestDatabase.current.execute("DROP TRIGGER IF EXISTS slow ON landfall.delivery")
        try await TestDatabase.current.execute(
            """
            CREATE OR REPLACE FUNCTION public.cancel_large() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (SELECT count(*) FROM news) > TG_ARGV[0]::integer THEN
                    RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014';
                END IF;
                RETURN NULL;
            END;
            $$
            """)
        try await TestDatabase.current.execute(
            """
            CREATE TRIGGER slow AFTER INSERT ON landfall.delivery REFERENCING NEW TABLE AS news
            FOR EACH STATEMENT EXECUTE FUNCTION public.cancel_large(\(items))
            """)
    }

    private func body(_ numbers: Range<Int>) -> String {
        numbers.map {
            #"{"type":"response","provider":"apns","status":200,"token":"\#(tokenValue($0))","#
                + #""notification_id":"\#(notificationID($0))"}"#
        }.joined(separator: "\n")
    }

    @Test("a batch that takes too long is written in halves, and every item gets its verdict")
    func halves() async throws {
        try await TestServer.run { server in
            try await limitBatches(to: 60)
            let first = try await server.post(body(1_000..<1_200))
            #expect(first.status == 200)
            #expect(first.counts == [200, 0, 0])
            #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 200)
            let second = try await server.post(body(1_000..<1_210))
            #expect(second.counts == [10, 200, 0])
        }
    }

    @Test("a batch lands in the end if its client repeats it, however small its parts have to be")
    func repeated() async throws {
        try await TestServer.run { server in
            try await limitBatches(to: 9)
            var codes: [String] = []
            for _ in 0..<9 {
                let response = try await server.post(body(1_000..<1_300))
                guard response.status != 200 else { break }
                #expect(response.headers[.retryAfter] != nil)
                codes.append(response.code ?? "")
            }
            #expect(!codes.isEmpty)
            #expect(codes.allSatisfy { $0 == "statement_timeout" })
            #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 300)
        }
    }
}
