import DeliveryModel
import Foundation
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import Vault

@testable import TokenLifecycle

@Suite(.database) struct TokenImportTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let vault = TokenVault(.random())
    private let phones = (1...3).map { _ in UUID() }

    private func instant(_ daysAgo: Int64) -> String { (now - .days(daysAgo)).rfc3339 }

    private func run(
        _ text: String, applies: Bool, defaults: ImportDefaults = ImportDefaults(),
        at instant: Instant? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) async throws -> (counts: ImportCounts, verdicts: [String]) {
        let (now, vault) = (instant ?? now, vault)
        return try await TestDatabase.current.pool.withConnection { connection in
            let pieces = Mutex([Array(text.utf8)])
            let reader = try TokenImportReader(defaults: defaults, now: now) {
                pieces.withLock { $0.popLast() ?? [] }
            }
            let tokens = TokenImport(appID: firstApp, vault: vault, on: connection)
            var verdicts: [String] = []
            let note: (ImportedLine) -> Void = {
                verdicts.append("\($0.number):\($0.rejection?.code.rawValue ?? $0.verdict.rawValue)")
            }
            let counts =
                try applies
                ? tokens.apply(reader, now: now, isStopped: isStopped, verdict: note)
                : tokens.plan(reader, isStopped: isStopped, verdict: note)
            return (counts, verdicts)
        }
    }

    private func texts(_ query: String) async throws -> [String] {
        try await TestDatabase.current.query(query) { try $0.get(0, as: String.self) }
    }

    private func tokenStates() async throws -> [String] {
        try await texts("SELECT state || ':' || count(*) FROM landfall.token GROUP BY state ORDER BY state")
    }

    /// The token that a response about this value names.
    private func token(_ value: String) async throws -> Token {
        let (ledger, now) = (TokenLedger(vault: vault), now)
        let address = AppTokenAddress(
            appID: firstApp,
            address: TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: value))
        return try await TestDatabase.current.pool.withTransaction { connection in
            let found = try ledger.resolve([address], now: now, on: connection)
            return try #require(found.first??.token)
        }
    }

    private var table: String {
        """
        value,topic,environment,registered_at,device_id,account,tags,permission
        aa01,com.example.shop,production,\(instant(30)),\(phones[0]),anna,vip;beta,authorized
        aa02,com.example.shop,production,\(instant(20)),\(phones[0]),anna,,authorized
        aa03,com.example.shop,sandbox,\(instant(10)),\(phones[0]),,,
        AA02,com.example.shop,production,\(instant(5)),\(phones[1]),ben,,denied
        bb01,com.example.shop,,\(instant(400)),,,,
        bb01,com.example.shop,,\(instant(400)),,,,
        xyz,com.example.shop,,\(instant(1)),,,,
        bb02,com.example.shop,,,,,,
        bb03,com.example.shop,,\(instant(-1)),,,,
        bb04,com.example.shop,,\(instant(1)),no-uuid,,,
        bb05,com.example.shop
        """
    }

    private let verdicts = [
        "2:registered", "3:rotated", "4:registered", "5:transferred", "6:registered", "7:unchanged",
        "8:invalid_value",
        "9:missing_registered_at", "10:in_future", "11:invalid_device_id", "12:invalid_line",
    ]

    @Test("a table with a registration token and a later installation id records the migration")
    func migration() async throws {
        let rows = [
            "value,kind,registered_at,device_id,topic",
            "abc:APA91bXYZ,fcm,\(instant(5)),\(phones[0]),shop",
            "eVUzxxT7QsyqCbpSGhfz1b,fid,\(instant(3)),\(phones[0]),shop",
        ]
        let (_, verdicts) = try await run(rows.joined(separator: "\n"), applies: true)
        #expect(verdicts == ["2:registered", "3:rotated"])
        let tokens = try await texts(
            "SELECT kind || ' ' || state || coalesce('/' || cause, '') FROM landfall.token ORDER BY kind")
        #expect(tokens == ["fcm retired/provider_migration", "fid active"])
        let successors = try await texts(
            """
            SELECT kind FROM landfall.token
            WHERE token_id = (SELECT successor_id FROM landfall.token WHERE kind = 'fcm')
            """)
        #expect(successors == ["fid"])
        let rules = try await texts(
            "SELECT rule FROM landfall.token_transition ORDER BY transition_id")
        #expect(rules == ["registered", "provider_migration", "provider_migration"])
    }

    @Test("keys of Web Push subscriptions are imported, also by a table that first came without them")
    func webPushKeys() async throws {
        let point =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        let rows = (1...2).map { "https://push.example.com/\($0),web_push,\(instant(3))" }
        let header = "value,kind,registered_at"
        _ = try await run(([header] + rows).joined(separator: "\n"), applies: true)
        let withKeys = [
            header + ",p256dh,auth", rows[0] + ",\(point),BTBZMqHH6r4Tts7J_aSIgg", rows[1] + ",no,key",
        ].joined(separator: "\n")
        for verdicts in [["2:refreshed", "3:unchanged"], ["2:unchanged", "3:unchanged"]] {
            let (counts, found) = try await run(withKeys, applies: true)
            #expect(found == verdicts)
            #expect(counts.mistakes.map(\.mistake) == [.pushKeys])
            #expect(counts.mistakes.map(\.firstLine) == [3])
        }
        let fed = try await TestDatabase.current.pool.withConnection { [vault, now] connection in
            let tokens = try TokenFeed(vault: vault)
                .page(of: firstApp, FeedFilter(), after: nil, limit: 10, now: now, on: connection).tokens
            let changes = try ChangeFeed(vault: vault)
                .changes(of: firstApp, after: 0, limit: 10, on: connection)
            return (tokens.map(\.keys?.p256dh), changes.map(\.rule))
        }
        #expect(Set(fed.0) == [point, nil])
        #expect(fed.1 == ["registered", "registered", "registered"])
    }

    @Test("keys of a known registration do not cost a value that was registered since its place in the slot")
    func keysOfAnOlderValue() async throws {
        let point =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        let header = "value,kind,registered_at,device_id"
        let rows = (1...2).map { "https://push.example.com/\($0),web_push,\(instant(4)),\(phones[0])" }
        _ = try await run(([header] + rows).joined(separator: "\n"), applies: true)
        // They alternate, so both are in use, and one was registered since.
        try await TestDatabase.current.execute(
            """
            UPDATE landfall.token SET last_registered_at = last_registered_at + interval '1 day'
            WHERE token_id = (SELECT max(token_id) FROM landfall.token)
            """)
        let older = try await fedValues(registeredAt: now - .days(4))
        let withKeys = [
            header + ",p256dh,auth",
            "\(older[0]),web_push,\(instant(4)),\(phones[0]),\(point),BTBZMqHH6r4Tts7J_aSIgg",
        ]
        let (_, verdicts) = try await run(withKeys.joined(separator: "\n"), applies: true)
        #expect(verdicts == ["2:refreshed"])
        #expect(try await tokenStates() == ["active:2"])
        #expect(try await texts("SELECT count(*)::text FROM landfall.token_slot") == ["2"])
    }

    /// The values in the feed that were last registered at this instant.
    private func fedValues(registeredAt: Instant) async throws -> [String] {
        try await TestDatabase.current.pool.withConnection { [vault, now] connection in
            try TokenFeed(vault: vault)
                .page(of: firstApp, FeedFilter(), after: nil, limit: 10, now: now, on: connection).tokens
                .filter { $0.registeredAt == registeredAt }.map { String(decoding: $0.value, as: UTF8.self) }
        }
    }

    @Test("a plan says line by line what the import then does, and changes nothing")
    func planAndApply() async throws {
        let plan = try await run(table, applies: false)
        #expect(plan.verdicts == verdicts)
        #expect(try await tokenStates() == [])
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.installation") == 0)
        let done = try await run(table, applies: true)
        #expect(done.verdicts == verdicts)
        #expect(done.counts == plan.counts)
        #expect(done.counts.changes == 5)
        #expect(try await tokenStates() == ["active:3", "retired:1"])
    }

    @Test("importing again changes nothing")
    func again() async throws {
        _ = try await run(table, applies: true)
        let everything = """
            SELECT t::text FROM landfall.token t UNION ALL SELECT s::text FROM landfall.token_slot s
            UNION ALL SELECT l::text FROM landfall.token_transition l UNION ALL SELECT i::text FROM landfall.installation i
            UNION ALL SELECT b::text FROM landfall.account_binding b ORDER BY 1
            """
        let before = try await texts(everything)
        #expect(!before.isEmpty)
        let again = try await run(table, applies: true, at: now + .days(1))
        #expect(again.counts.changes == 1)  // The one in the future is due now.
        let third = try await run(table, applies: true, at: now + .days(2))
        #expect(third.counts.changes == 0)
        try await TestDatabase.current.execute(
            "DELETE FROM landfall.token_transition WHERE token_id = (SELECT max(token_id) FROM landfall.token)"
        )
        try await TestDatabase.current.execute(
            "DELETE FROM landfall.token WHERE token_id = (SELECT max(token_id) FROM landfall.token)")
        #expect(try await texts(everything) == before)
    }

    @Test("the ledger says of every change that it came by import, and links values to their successors")
    func ledger() async throws {
        _ = try await run(table, applies: true)
        let rules = try await texts(
            """
            SELECT rule || ':' || count(*) FROM landfall.token_transition WHERE evidence ->> 'source' = 'import'
            GROUP BY rule ORDER BY rule
            """)
        #expect(rules == ["registered:4", "rotated:1", "transferred:1"])
        let other = "SELECT count(*) FROM landfall.token_transition WHERE evidence ->> 'source' IS NULL"
        #expect(try await TestDatabase.current.count(other) == 0)
        let successor = """
            SELECT count(*) FROM landfall.token AS old JOIN landfall.token AS new ON new.token_id = old.successor_id
            JOIN landfall.token_transition AS entry ON entry.token_id = old.token_id AND entry.rule = 'rotated'
            WHERE old.state = 'retired' AND old.cause = 'rotated'
              AND (entry.evidence ->> 'successor_token_id')::bigint = new.token_id
            """
        #expect(try await TestDatabase.current.count(successor) == 1)
    }

    @Test("a value that moved leaves its slot, and each slot has one value")
    func slots() async throws {
        _ = try await run(table, applies: true)
        let slots = try await texts(
            """
            SELECT slot.environment || ':' || device_id FROM landfall.token_slot AS slot
            JOIN landfall.installation USING (installation_id) JOIN landfall.token USING (token_id)
            WHERE token.installation_id = slot.installation_id ORDER BY 1
            """)
        let expected = ["production:\(phones[1])", "sandbox:\(phones[0])"].map { $0.lowercased() }
        #expect(slots == expected)
    }

    @Test("a table's description of a device is kept, unless the device gave a later one")
    func installations() async throws {
        try await register(phones[1], value: "cc01", daysAgo: 1, permission: "provisional")
        _ = try await run(table, applies: true)
        let known = try await texts(
            """
            SELECT permission || ':' || array_to_string(tags, '+') || ':' || coalesce(account, '') FROM landfall.installation
            LEFT JOIN landfall.account_binding USING (installation_id) ORDER BY 1
            """)
        #expect(known == ["authorized:vip+beta:anna", "provisional::"])
    }

    private func register(_ device: UUID, value: String, daysAgo: Int64, permission: String? = nil)
        async throws
    {
        let (vault, registeredAt) = (vault, now - .days(daysAgo))
        var registration = Registration(deviceID: device, registeredAt: registeredAt)
        registration.permission = permission
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: value)
        ]
        try await TestDatabase.current.pool.withTransaction { [registration] connection in
            _ = try DeviceRegistry(vault: vault)
                .register(registration, appID: firstApp, now: registeredAt, on: connection)
        }
    }

    @Test("an old table takes no slot from a value that an app registered since")
    func newerByApp() async throws {
        try await register(phones[0], value: "cc01", daysAgo: 7)
        let old = "value,topic,registered_at,device_id\naa01,com.example.shop,\(instant(8)),\(phones[0])\n"
        #expect(try await run(old, applies: true).verdicts == ["2:superseded"])
        #expect(try await tokenStates() == ["active:1", "retired:1"])
        #expect(try await run(old, applies: true).verdicts == ["2:unchanged"])
        let new = "value,topic,registered_at,device_id\naa01,com.example.shop,\(instant(6)),\(phones[0])\n"
        #expect(try await run(new, applies: true).verdicts == ["2:rotated"])
        #expect(try await tokenStates() == ["active:1", "retired:1"])
    }

    @Test("a token that a provider called dead is revived only by a registration after its death")
    func dead() async throws {
        let (ledger, now) = (TokenLedger(vault: vault), now)
        let token = try await token("aa01")
        try await TestDatabase.current.pool.withTransaction { connection in
            let evidence = TokenEvidence(
                outcome: ResponseOutcome(.rejected(.tokenDead), .invalidateIfNotReregistered),
                provider: "apns",
                status: 410,
                reason: "Unregistered", sentAt: now - .hours(1), invalidSince: now - .days(10))
            try ledger.apply(
                [TokenResponse(appID: firstApp, token: token, evidence: evidence)], now: now, on: connection)
        }
        #expect(try await tokenStates() == ["retired:1"])
        let old = "value,topic,registered_at\naa01,com.example.shop,\(instant(11))\n"
        #expect(try await run(old, applies: true).verdicts == ["2:outdated"])
        #expect(try await tokenStates() == ["retired:1"])
        let new = "value,topic,registered_at\naa01,com.example.shop,\(instant(9))\n"
        #expect(try await run(new, applies: true).verdicts == ["2:revived"])
        #expect(try await tokenStates() == ["active:1"])
    }

    @Test("a value that lost its slot and was registered by another device later belongs to that one")
    func rotatedThenMoved() async throws {
        let header = "value,topic,registered_at,device_id\n"
        _ = try await run(
            header
                + "aa01,com.example.shop,\(instant(30)),\(phones[0])\naa02,com.example.shop,\(instant(20)),\(phones[0])\n",
            applies: true)
        #expect(try await tokenStates() == ["active:1", "retired:1"])
        let between = header + "aa01,com.example.shop,\(instant(25)),\(phones[1])\n"
        #expect(try await run(between, applies: true).verdicts == ["2:outdated"])
        let later = header + "aa01,com.example.shop,\(instant(10)),\(phones[1])\n"
        #expect(try await run(later, applies: false).verdicts == ["2:transferred"])
        #expect(try await run(later, applies: true).verdicts == ["2:transferred"])
        #expect(try await tokenStates() == ["active:2"])
    }

    @Test("an erased device stays erased")
    func erased() async throws {
        try await register(phones[0], value: "cc01", daysAgo: 7)
        try await TestDatabase.current.execute("UPDATE landfall.installation SET erased_at = now()")
        let text = "value,topic,registered_at,device_id\naa01,com.example.shop,\(instant(1)),\(phones[0])\n"
        for applies in [false, true] {
            #expect(try await run(text, applies: applies).verdicts == ["2:erased"])
        }
        #expect(try await tokenStates() == ["active:1"])
    }

    @Test("a merged token whose value was erased stays erased")
    func erasedMerged() async throws {
        func line(_ days: Int64) -> String {
            "value,topic,registered_at\naa01,com.example.shop,\(instant(days))\n"
        }
        _ = try await run(line(3), applies: true)
        try await TestDatabase.current.execute(
            """
            WITH merged AS (
                UPDATE landfall.token
                   SET state = 'retired', cause = 'merged', sealed_value = NULL, last_registered_at = NULL,
                       state_changed_at = '\(instant(2))'
                RETURNING app_id, token_id
            )
            INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
            SELECT app_id, token_id, '\(instant(2))', 'retired', 'retired', 'erased', '{}' FROM merged
            """)
        for applies in [false, true] {
            #expect(try await run(line(1), applies: applies).verdicts == ["2:erased"])
        }
        #expect(try await tokenStates() == ["retired:1"])
    }

    @Test("JSON lines mean the same as CSV, with any spelling of an instant")
    func jsonLines() async throws {
        let milliseconds = (now - .days(1)).millisecondsSinceEpoch
        let text = """
            {"value": "aa01", "topic": "com.example.shop", "registered_at": \(milliseconds), "tags": ["vip"]}

            {"value": "fcm-Token_1", "provider": "fcm", "registered_at": "2026-03-01 09:30:00+00", "device_id": "\(phones[0])"}
            {"value": "aa02", "registered_at": 1700000000}
            {"value": 1.5}
            ["value"]
            {"value": "aa01", "topic": "com.example.shop", "registered_at": "\(instant(1))"}
            """
        #expect(
            try await run(text, applies: true).verdicts == [
                "1:registered", "3:registered", "4:invalid_instant", "5:invalid_line", "6:invalid_line",
                "7:unchanged",
            ])
        let kinds = try await texts("SELECT provider || ':' || kind FROM landfall.token ORDER BY 1")
        #expect(kinds == ["apns:alert", "fcm:fcm"])
    }

    @Test("words for a missing value, other kinds of values and identifiers of people are invalid lines")
    func foreignValues() async throws {
        let values = [
            "BLACKLISTED", "null", "undefined", "(null)", "nil", "unknown", "none", "0",
            String(repeating: "a1b2c3d4", count: 8),
            "user@example.com", "+4930123456", "fcm:APA91bH_x-Y",
        ]
        let text = "value,registered_at\n" + values.map { "\($0),\(instant(1))\n" }.joined()
        var defaults = ImportDefaults()
        defaults.kind = .fcm
        for applies in [false, true] {
            let verdicts = try await run(text, applies: applies, defaults: defaults).verdicts
            #expect(verdicts == (2...12).map { "\($0):invalid_value" } + ["13:registered"])
        }
    }

    @Test("spellings of one value are one token, for which the import vouches")
    func spellings() async throws {
        let text = """
            value,kind,registered_at
            https://fcm.googleapis.com/fcm/send/abc,web_push,\(instant(3))
            https://FCM.googleapis.com/wp/abc,webpush,\(instant(2))
            REGID-1,huawei,\(instant(2))
            REGID-1,hms,\(instant(2))
            """
        #expect(
            try await run(text, applies: true).verdicts == [
                "2:registered", "3:refreshed", "4:registered", "5:unchanged",
            ])
        let vouched = try await texts("SELECT kind || ' ' || is_vouched FROM landfall.token ORDER BY 1")
        #expect(vouched == ["hms true", "web_push true"])
    }

    @Test("only a registration of a value that had no installation before may have strays of responses")
    func strays() async throws {
        let (now, vault, phone) = (now, vault, phones[0])
        /// `change mayHaveStrays` of each value.
        func register(_ values: [String]) async throws -> [String] {
            var registration = Registration(deviceID: phone, registeredAt: now)
            registration.tokens = values.map {
                TokenAddress(
                    provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                    value: $0)
            }
            return try await TestDatabase.current.pool.withTransaction { [registration] connection in
                try DeviceRegistry(vault: vault)
                    .register(registration, appID: firstApp, now: now, on: connection)
                    .tokens.map { "\($0.change.rawValue) \($0.mayHaveStrays)" }
            }
        }
        #expect(try await register(["aa01"]) == ["registered true"])
        #expect(try await register(["aa01"]) == ["refreshed false"])
        _ = try await run("value,topic,registered_at\naa02,com.example.shop,\(instant(3))\n", applies: true)
        // The import gave it no installation.
        #expect(try await register(["aa01", "aa02"]) == ["refreshed false", "refreshed true"])
        #expect(try await register(["aa01", "aa02"]) == ["refreshed false", "refreshed false"])
    }

    @Test("columns missing from the table can be given once for all rows")
    func defaults() async throws {
        var defaults = ImportDefaults()
        defaults.kind = .voip
        defaults.environment = .sandbox
        defaults.topic = "com.example.shop.voip"
        defaults.registeredAt = now - .days(3)
        _ = try await run("value\naa01\n", applies: true, defaults: defaults)
        let token = try await texts("SELECT kind || ':' || environment || ':' || topic FROM landfall.token")
        #expect(token == ["voip:sandbox:com.example.shop.voip"])
    }

    @Test("a file that is not a table of tokens is rejected as a whole, and not quoted")
    func rejected() async throws {
        let secret = "80f4d1a6c380f4d1a6c380f4d1a6c3ff"
        for (text, error) in [
            ("", TokenImportError.empty), ("\(secret),com.example.shop\n", .noHeader),
            ("[{\"value\": \"\(secret)\"}]", .notLines), ("value,topic,value\n", .repeatedColumn("value")),
        ] {
            await #expect(throws: error) { try await run(text, applies: false) }
            #expect(!error.description.contains(secret))
        }
    }

    @Test("the place of an old registration in the file has no effect")
    func order() async throws {
        let header = "value,topic,registered_at,device_id\n"
        // The second value moves on to another device, the third was never replaced.
        let lines = [
            "aa01,com.example.shop,\(instant(300)),\(phones[0])",
            "aa02,com.example.shop,\(instant(200)),\(phones[0])",
            "aa02,com.example.shop,\(instant(100)),\(phones[1])",
            "aa03,com.example.shop,\(instant(250)),\(phones[1])",
            "aa03,com.example.shop,\(instant(250)),\(phones[2])",
        ]
        let everything = """
            SELECT encode(token.fingerprint, 'hex') || token.state || coalesce(token.cause, '') || coalesce(device_id::text, '')
                || coalesce((SELECT string_agg(rule || transition.at, ' ' ORDER BY transition_id)
                             FROM landfall.token_transition AS transition WHERE transition.token_id = token.token_id), '')
            FROM landfall.token LEFT JOIN landfall.installation USING (installation_id) ORDER BY 1
            """
        var results: [[String]] = []
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 4, 1, 2, 0]] {
            let text = header + order.map { lines[$0] + "\n" }.joined()
            let plan = try await run(text, applies: false)
            let done = try await run(text, applies: true)
            #expect(plan.verdicts == done.verdicts)
            #expect(done.counts == plan.counts)
            results.append(
                try await texts(everything) + [
                    "\(done.counts.verdicts.sorted { $0.key.rawValue < $1.key.rawValue })"
                ])
            try await TestDatabase.current.execute(
                "TRUNCATE landfall.token_transition, landfall.token_slot, landfall.token, landfall.installation CASCADE"
            )
        }
        #expect(Set(results).count == 1)
        #expect(results[0].count == 4)
    }

    @Test("a value that a newer one had replaced is not made active by a response to it")
    func superseded() async throws {
        try await register(phones[0], value: "aa02", daysAgo: 30)
        let old = "value,topic,registered_at,device_id\naa01,com.example.shop,\(instant(90)),\(phones[0])\n"
        #expect(try await run(old, applies: true).verdicts == ["2:superseded"])
        let token = try await token("aa01")
        #expect(token.state == .retired && token.cause == .rotated)
        #expect(try await tokenStates() == ["active:1", "retired:1"])
    }

    @Test("an import stopped between two batches continues the next time")
    func stopped() async throws {
        let rows = (0..<2_500).map {
            "\(String(format: "%08x", $0)),com.example.shop,\(instant(1)),\(UUID())"
        }
        let text = "value,topic,registered_at,device_id\n" + rows.joined(separator: "\n")
        // It is also asked twice while the file is read.
        let asked = Mutex(0)
        let first = try await run(
            text, applies: true,
            isStopped: {
                asked.withLock {
                    $0 += 1; return $0 > 3
                }
            })
        #expect(first.counts.wasStopped)
        #expect(first.counts.lines == 1_000)
        #expect(try await tokenStates() == ["active:1000"])
        let second = try await run(text, applies: true)
        #expect(second.counts[.unchanged] == 1_000)
        #expect(second.counts[.registered] == 1_500)
        #expect(try await tokenStates() == ["active:2500"])
    }

    @Test("two imports into one app do not run at once")
    func alone() async throws {
        let url = TestDatabase.current.url
        let other = try TestDatabase.connect(to: url)
        let held = try #require(try other.hold(.tokenImport, of: firstApp))
        await #expect(throws: LockTaken(.tokenImport)) { try await run(table, applies: true) }
        held.release()
        #expect(try await run(table, applies: true).counts.changes > 0)
    }
}
