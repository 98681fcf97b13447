import Foundation
import Synchronization
import TestDatabase
import Testing

@testable import Mirror

/// A table in step has the tokens of the feeds, in either database.
@Suite(.database) struct MirrorTests {
    @Test("all tokens are read, and then every change", arguments: DatabaseKind.allCases)
    func inStep(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...5 { state.register(Int64(id)) }
                state.tokens[3]?.device = nil
            }
            let first = try await table.mirror(feeds)
            #expect(first == Mirror.Summary(tokens: 5, changes: 0))
            #expect(try await table.rows() == feeds.rows)
            feeds.change { state in
                state.move(1, to: "suspect")
                state.move(1, to: "active")
                state.move(2, to: "stale")
                state.move(4, to: "retired")
                state.erase(5)
                state.register(9)
                state.register(3, device: "another")
            }
            let second = try await table.mirror(feeds)
            #expect(second == Mirror.Summary(tokens: 0, changes: 7))
            #expect(try await table.rows() == feeds.rows)
            #expect(try await table.rows().map(\.tokenID) == [1, 2, 3, 4, 9])
            #expect(feeds.rows.map(\.state) == ["active", "stale", "active", "retired", "active"])
        }
    }

    @Test("what changes while all tokens are read is not lost", arguments: DatabaseKind.allCases)
    func race(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...7 { state.register(Int64(id)) }
                state.meanwhile = { state in
                    switch state.requests.count {
                    case 1: state.move(1, to: "retired")
                    case 2:
                        state.erase(2)
                        state.erase(6)
                        state.register(8)
                    case 3: state.move(7, to: "suspect")
                    default: break
                    }
                }
            }
            try await table.mirror(feeds)
            #expect(try await table.rows() == feeds.rows)
            #expect(try await table.rows().map(\.tokenID) == [1, 3, 4, 5, 7, 8])
        }
    }

    @Test("with --delete, retired tokens have no rows", arguments: DatabaseKind.allCases)
    func deletes(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
                state.move(1, to: "retired")
            }
            try await table.mirror(feeds, deletes: true)
            #expect(try await table.rows().map(\.tokenID) == [2, 3])
            feeds.change { state in
                state.move(2, to: "retired")
                state.move(1, to: "active")
            }
            try await table.mirror(feeds, deletes: true)
            #expect(try await table.rows().map(\.tokenID) == [1, 3])
        }
    }

    @Test("a page of any size is one transaction", arguments: DatabaseKind.allCases, [10, 500, 10_000])
    func pages(kind: DatabaseKind, count: Int) async throws {
        try await SenderTable.run(kind) { table in
            var table = table
            table.pageSize = 10_000
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...count { state.register(Int64(id)) }
            }
            try await table.mirror(feeds)
            #expect(try await table.rows() == feeds.rows)
            #expect(try table.pages() == 1)
            feeds.change { state in
                for id in 1...count { state.move(Int64(id), to: "stale") }
            }
            try await table.mirror(feeds)
            #expect(try await table.rows() == feeds.rows)
            #expect(try table.pages() == 2)
        }
    }

    @Test(
        "rows of the sender's own are left alone, in columns of other names", arguments: DatabaseKind.allCases
    )
    func ownRows(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { plain in
            var table = plain
            try await table.execute(
                """
                CREATE TABLE push_tokens (id integer, token_id bigint UNIQUE, owner text, token text, provider text,
                    kind text, environment text, topic text, state text, device_id text, p256dh text, auth text,
                    changed_at \(kind == .postgres ? "timestamptz" : "text"))
                """)
            try await table.execute("INSERT INTO push_tokens (id, token) VALUES (1, 'mine')")
            table.table = try MirrorTable("push_tokens", columns: ["value=token", "app=owner"])
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
            }
            try await table.mirror(feeds)
            feeds.change { state in state.erase(1) }
            try await table.mirror(feeds, refills: true)
            try await table.execute(
                """
                CREATE VIEW device_tokens AS
                SELECT coalesce(token_id, 0) AS token_id, coalesce(owner, 'shop') AS app, token AS value,
                       coalesce(state, '') AS state, device_id
                FROM push_tokens WHERE token_id > 0 OR id = 1
                """)
            let rows = try await table.rows()
            #expect(Set(rows.map(\.value)) == ["mine", "value-2", "value-3"])
            // A row of the sender's own that has the number of a token is not overwritten.
            try await table.execute("UPDATE push_tokens SET token_id = 4 WHERE id = 1")
            feeds.change { state in state.register(4) }
            let error = await #expect(throws: MirrorError.self) { try await table.mirror(feeds) }
            #expect(error?.description.contains("1 rows that are not of app shop") == true)
            #expect(try await table.rows().map(\.value).sorted() == ["mine", "value-2", "value-3"])
        }
    }

    @Test(
        "rows with the app's name that no mirror wrote are removed only with --refill",
        arguments: DatabaseKind.allCases)
    func unknownRows(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            try await table.mirror(FakeFeeds())
            try await table.execute("DELETE FROM landfall_mirror")
            try await table.execute(
                """
                INSERT INTO device_tokens (token_id, app, value, provider, kind, environment, topic, state)
                VALUES (7, 'shop', 'mine', 'apns', 'alert', 'production', 'com.example.shop', 'active')
                """)
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
            }
            let error = await #expect(throws: MirrorError.self) { try await table.mirror(feeds) }
            guard case .refused(let reason) = error else { throw Require.Missing() }
            #expect(reason.contains("has rows of app shop") && reason.contains("--refill"))
            #expect(try await table.rows().map(\.value) == ["mine"])
            try await table.mirror(feeds, refills: true)
            #expect(try await table.rows() == feeds.rows)
        }
    }

    @Test("a table without a column is refused with its name", arguments: DatabaseKind.allCases)
    func missingColumn(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            try await table.execute(
                "CREATE TABLE device_tokens (token_id bigint PRIMARY KEY, app text, value text)")
            let error = await #expect(throws: MirrorError.self) { try await table.mirror(FakeFeeds()) }
            #expect(error?.description.contains("device_tokens cannot hold the tokens") == true)
            #expect(error?.description.contains("provider") == true)
        }
    }

    @Test("a second mirror of the table is refused", arguments: DatabaseKind.allCases)
    func second(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let first = try table.open()
            await #expect(throws: MirrorError.taken(table: "device_tokens")) {
                try await table.mirror(FakeFeeds())
            }
            _ = try first.position()
        }
        try await SenderTable.run(kind) { table in try await table.mirror(FakeFeeds()) }
    }

    @Test("a key of another app is refused", arguments: DatabaseKind.allCases)
    func otherApp(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { $0.register(1) }
            try await table.mirror(feeds)
            let rows = feeds.rows
            feeds.change { state in
                state.app = "news"
                state.register(2)
            }
            for refills in [false, true] {
                let error = await #expect(throws: MirrorError.self) {
                    try await table.mirror(feeds, refills: refills)
                }
                guard case .refused(let reason) = error else { throw Require.Missing() }
                #expect(reason.contains("has the tokens of app shop, and the key is one of app news"))
            }
            #expect(try await table.rows() == rows)
        }
    }

    @Test("a page that was read for another position is not applied", arguments: DatabaseKind.allCases)
    func moved(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let target = try table.open()
            let token = MirroredToken(
                tokenID: 1, value: "a", provider: "apns", kind: "alert", environment: "production",
                topic: "t",
                state: "active")
            let position = MirrorPosition(app: "shop", after: 5, revision: 1)
            try target.apply(MirrorBatch(put: [token]), position)
            #expect(throws: MirrorTrouble.self) {
                try target.apply(MirrorBatch(removed: [1]), position)
            }
            #expect(try await table.rows().map(\.value) == ["a"])
            #expect(try target.position() == position)
        }
    }
}
