import Access
import Foundation
import TestDatabase
import Testing

/// All installations of an app register for the first time, on a new database that no one has analyzed.
@Suite(.database) struct ReleaseDayTests {
    private static let registrations = 400

    @Test("the rows that a first registration reads do not grow with the registrations before it")
    func rowsRead() async throws {
        try await TestServer.run { server async throws in
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for phone in 0..<16 {
                    group.addTask {
                        var statuses: [Int] = []
                        for number in stride(from: phone, to: Self.registrations, by: 16) {
                            let body = #"""
                                {"platform":"ios","app_version":"7.1.0","permission":"authorized","account":"a\#(number)",
                                 "tokens":[{"value":"\#(tokenValue(1_000 + number))","topic":"com.example.shop"}]}
                                """#
                            statuses.append(try await server.put(UUID(), body, as: .server).status)
                        }
                        return statuses
                    }
                }
                for try await statuses in group { #expect(statuses.allSatisfy { $0 == 200 }) }
            }
        }
        // The server's sessions have ended, and ending sessions report what they have read.
        try await TestDatabase.current.wait(
            until:
                "SELECT count(*) FROM pg_stat_user_tables WHERE relname = 'token' AND n_tup_ins >= \(Self.registrations)"
        )
        let scanned = try await TestDatabase.current.count(
            """
            SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables
            WHERE schemaname = 'landfall'
              AND relname IN ('token', 'token_slot', 'token_transition', 'installation', 'account_binding', 'permission_period',
                              'message_recipient')
            """)
        let looked = try await TestDatabase.current.count(
            """
            SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes
            WHERE schemaname = 'landfall'
              AND relname IN ('token', 'token_slot', 'token_transition', 'installation', 'account_binding', 'permission_period',
                              'message_recipient')
            """)
        // About 20 lookups each. Reading a table for each of them would make it hundreds.
        #expect(
            (scanned + looked) / Int64(Self.registrations) < 60, "\(scanned) scanned, \(looked) looked up")
    }
}
