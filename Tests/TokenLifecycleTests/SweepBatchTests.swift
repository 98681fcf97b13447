import Foundation
import PostgresClient
import TestDatabase
import Testing

@testable import DeliveryModel
@testable import TokenLifecycle

@Suite("Batches of a sweep", .database) struct SweepBatchTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let appID = firstApp
    private var database: TestDatabase { .current }

    private var generous: SweepRules {
        var rules = SweepRules()
        rules.maxShare = 1
        return rules
    }

    /// Adds installations with an active token each, of the same number, last heard from this many days ago.
    private func register(_ numbers: ClosedRange<Int64>, silentFor days: Int64) async throws {
        try await database.execute(
            """
            INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now()) ON CONFLICT (slug) DO NOTHING
            """)
        try await database.execute(
            "INSERT INTO landfall.app_sign_of_life (app_id, heard_at) VALUES (\(appID), $1) ON CONFLICT DO NOTHING",
            [.value(now - .hours(1))])
        let numbers = Array(numbers)
        try await database.execute(
            """
            INSERT INTO landfall.installation (installation_id, app_id, device_id, first_registered_at, last_registered_at,
                                               last_sign_of_life_at)
            OVERRIDING SYSTEM VALUE
            SELECT number, \(appID), md5(number::text)::uuid, $2, $2, $2 FROM unnest($1::bigint[]) AS number
            """, [.array(numbers), .value(now - .days(days))])
        try await database.execute(
            """
            INSERT INTO landfall.token (token_id, app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                        installation_id, state, first_seen_at, last_sign_of_life_at, state_changed_at)
            OVERRIDING SYSTEM VALUE
            SELECT number, \(appID), 'apns', 'production', '', sha256(int8send(number)), 'alert', '\\x01', number, 'active', $2, $2, $2
            FROM unnest($1::bigint[]) AS number
            """, [.array(numbers), .value(now - .days(days))])
    }

    private func apply(at instant: Instant? = nil, stride: Int64 = 20_000) async throws -> SweepResult {
        let (instant, rules, appID) = (instant ?? now, generous, appID)
        return try await database.pool.withConnection { connection in
            try Sweep(appID: appID, on: connection, stride: stride).apply(rules, now: instant)
        }
    }

    private func states() async throws -> [String] {
        try await database.query(
            "SELECT state || ':' || count(*) FROM landfall.token GROUP BY state ORDER BY state"
        ) { try $0.get(0, as: String.self) }
    }

    @Test("an installation that gives a sign while its batch is under way keeps its tokens")
    func heardMeanwhile() async throws {
        try await register(1...2, silentFor: 90)
        let other = try database.connect()
        try other.execute(script: SQLFile(name: "test/begin", text: "BEGIN"))
        _ = try other.query(
            SQLFile(
                name: "test/hear",
                text: "UPDATE landfall.installation SET last_sign_of_life_at = $1 WHERE installation_id = 1"),
            [.value(now)])
        async let result = apply()
        let waiting = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        try await database.wait(until: waiting)
        try other.execute(script: SQLFile(name: "test/commit", text: "COMMIT"))
        #expect(try await result.staleCount == 1)
        #expect(try await states() == ["active:1", "stale:1"])
        #expect(
            try await database.count(
                "SELECT count(*) FROM landfall.token WHERE state = 'active' AND token_id = 1") == 1)
        let ledger = "SELECT count(*) FROM landfall.token_transition WHERE token_id = 1"
        #expect(try await database.count(ledger) == 0)
    }

    @Test(
        "a few silent tokens among many are found, however few a batch reads",
        arguments: [1, 7, 100] as [Int64])
    func strides(stride: Int64) async throws {
        try await register(1...30, silentFor: 1)
        try await register(31...33, silentFor: 90)
        try await register(34...60, silentFor: 1)
        try await register(61...61, silentFor: 90)
        try await database.execute(
            "UPDATE landfall.token SET state = 'suspect', cause = 'bad_token' WHERE token_id IN (20, 32)")
        #expect(try await apply(stride: stride).staleCount == 4)
        #expect(try await states() == ["active:56", "stale:4", "suspect:1"])
        let later = now + .days(31)
        try await database.execute("UPDATE landfall.app_sign_of_life SET heard_at = $1", [.value(later)])
        #expect(try await apply(at: later, stride: stride).retiredCount == 4)
        let tombstones = """
            SELECT count(*) FROM landfall.token
            WHERE state = 'retired' AND cause = 'swept' AND sealed_value IS NULL AND length(fingerprint) = 32
            """
        #expect(try await database.count(tombstones) == 4)
        let noted =
            "SELECT sum(stale_count)::bigint * 100 + sum(retired_count)::bigint FROM landfall.token_run"
        #expect(try await database.count(noted) == 404)
        let from =
            "SELECT count(*) FROM landfall.token_transition WHERE rule = 'stale' AND from_state = 'suspect'"
        #expect(try await database.count(from) == 1)
    }

    @Test(
        "an index leads from each batch to the next: no token is read twice",
        arguments: [SQLFile.Tokens.markStale, SQLFile.Tokens.retireStale])
    func plans(statement: SQLFile) async throws {
        try await register(1...5, silentFor: 90)
        let plan = try await plan(
            of: statement, types: "bigint, timestamptz, timestamptz, bigint, bigint, bigint, text, bigint",
            values: "1, now(), now(), 1, 1000, 17, 'stale', 20000")
        // Once for the tokens, once for the end of the batch.
        let steps = plan.filter { $0.contains("token_state_idx on token") }
        #expect(steps.count == 2, "\(plan.joined(separator: "\n"))")
        #expect(plan.filter { $0.contains("app_id = '1'::bigint) AND (token_id > '17'::bigint)") }.count == 2)
        #expect(plan.contains { $0.contains("Sort Key: token.token_id") } == false)
    }

    @Test(
        "planning a sweep reads the tokens of its app that are not retired, and no others",
        arguments: [
            (
                SQLFile.Tokens.planSweep, "bigint, timestamptz, timestamptz, timestamptz",
                "1, now(), now(), now()"
            ),
            (SQLFile.Tokens.countUnretired, "bigint, timestamptz", "1, now()"),
        ])
    func planning(statement: SQLFile, types: String, values: String) async throws {
        try await register(1...5, silentFor: 90)
        let plan = try await plan(of: statement, types: types, values: values)
        #expect(
            plan.count { $0.contains("token_state_idx on token") } == 1, "\(plan.joined(separator: "\n"))")
        #expect(
            plan.contains { $0.contains("Index Cond: ((state = ANY") && $0.contains("app_id = '1'::bigint") },
            "\(plan.joined(separator: "\n"))")
    }

    /// PostgreSQL's plan for a statement if there are many tokens.
    private func plan(of statement: SQLFile, types: String, values: String) async throws -> [String] {
        try await database.pool.withConnection { connection in
            try connection.execute(
                script: SQLFile(
                    name: "test/prepare",
                    text:
                        "SET enable_seqscan = off; SET enable_bitmapscan = off; PREPARE planned(\(types)) AS \(statement.text)"
                ))
            return try connection.query(
                SQLFile(name: "test/explain", text: "EXPLAIN EXECUTE planned(\(values))")
            ).map { try $0.get(0, as: String.self) }
        }
    }

    @Test("past sweeps are listed with the number of tokens that came back")
    func pastSweeps() async throws {
        try await register(1...10, silentFor: 90)
        #expect(try await apply().staleCount == 10)
        try await database.pool.withTransaction { [now, appID] connection in
            let device = UUID(uuidString: "c4ca4238-a0b9-2382-0dcc-509a6f75849b")
            let sign = SignOfLife(appID: appID, at: now + .days(2), deviceID: device, tokenID: nil)
            _ = try SignsOfLife().record([sign], now: now + .days(2), on: connection)
        }
        let later = now + .days(31)
        try await database.pool.withTransaction { [appID] connection in
            SignsOfLife().hear(fromApps: [appID: later], on: connection)
        }
        #expect(try await apply(at: later).retiredCount == 9)
        let past = try await database.pool.withConnection { [appID] in
            try PastSweeps(appID: appID, now: later, on: $0)
        }
        #expect(
            past.rows == [
                .init(rule: "stale", changed: 10, revived: 1), .init(rule: "swept", changed: 9, revived: 0),
            ])
        let none = try await database.pool.withConnection { [appID] in
            try PastSweeps(appID: appID, now: later + .days(366), on: $0)
        }
        #expect(none.rows.isEmpty)
    }

    @Test("a plan distinguishes suspect tokens by their cause")
    func causes() async throws {
        try await register(1...3, silentFor: 90)
        try await database.execute(
            "UPDATE landfall.token SET state = 'suspect', cause = 'breaker' WHERE token_id = 3")
        let plan = try await database.pool.withConnection { [appID, now] in
            try Sweep(appID: appID, on: $0).plan(SweepRules(), now: now)
        }
        #expect(
            plan.groups == [
                .init(rule: .stale, from: .active, cause: nil, silentDays: 90, tokenCount: 2),
                .init(rule: .stale, from: .suspect, cause: "breaker", silentDays: 90, tokenCount: 1),
            ])
    }
}
