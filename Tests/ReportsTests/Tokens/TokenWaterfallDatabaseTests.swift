import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("The waterfall, from the ledger", .database)
struct TokenWaterfallDatabaseTests {
    private var database: TestDatabase { .current }
    /// Summer time begins in Berlin on 2026-03-29.
    private let start = instant("2026-03-25T10:00:00Z")
    private let end = instant("2026-04-10T00:00:00Z")

    private func waterfall(
        _ unit: TokenWaterfall.Unit, from: Instant, to: Instant, by: WaterfallStep?, asOf: Instant? = nil
    ) async throws -> TokenWaterfall {
        let window = try WaterfallWindow(
            from: from.rfc3339, to: to.rfc3339, by: by, timeZone: ReportTimeZone("Europe/Berlin"),
            asOf: asOf ?? end)
        return try await database.pool.withConnection {
            try TokenWaterfall.run(for: shop, unit: unit, window: window, on: $0)
        }
    }

    private func status(asOf instant: Instant) async throws -> TokenStatusReport {
        try await database.pool.withConnection { try TokenStatusReport.run(for: shop, asOf: instant, on: $0) }
    }

    private func sums(_ report: TokenStatusReport) -> StateCounts {
        var counts = StateCounts()
        for row in report.rows { counts[TokenState(rawValue: row.state) ?? .active] += row.tokens }
        return counts
    }

    @Test(
        "every installation is in exactly one state at every instant, and moves add up to the states",
        arguments: 0..<12 as Range<UInt64>)
    func randomLedgers(seed: UInt64) async throws {
        try await database.addAppsAndCampaigns()
        let ledger = RandomLedger(seed: seed, from: start)
        try await ledger.write(to: database)
        var random = SeededRandom(seed: seed &+ 1_000)
        for _ in 0..<4 {
            let instants = (0..<2).map { _ in
                start + .minutes(.random(in: -100...22_000, using: &random))
            }.sorted()
            for by in [nil, WaterfallStep.day, .week] where instants[0] < instants[1] {
                for asOf in [instants[1], instants[1] + .minutes(3_000), end] where asOf >= instants[1] {
                    try await compare(ledger, from: instants[0], to: instants[1], asOf: asOf, by: by)
                }
            }
            let past = try await status(asOf: instants[1])
            #expect(past.installationStates == ledger.installations(asOf: instants[1], knownAt: instants[1]))
            #expect(past.installations == Int64(ledger.holders(asOf: instants[1])))
            #expect(sums(past) == ledger.tokens(asOf: instants[1], knownAt: instants[1]) { _ in true })
        }
    }

    private func compare(
        _ ledger: RandomLedger, from: Instant, to: Instant, asOf: Instant, by: WaterfallStep?
    ) async throws {
        for unit in TokenWaterfall.Unit.allCases {
            let report = try await waterfall(unit, from: from, to: to, by: by, asOf: asOf)
            for period in report.periods + [report.total] {
                for (counted, instant) in [(period.start, period.from), (period.end, period.to)] {
                    let expected =
                        unit == .tokens
                        ? ledger.tokens(asOf: instant, knownAt: asOf, TokenKind.alerting.contains)
                        : ledger.installations(asOf: instant, knownAt: asOf)
                    #expect(counted == expected, "\(unit) at \(instant.rfc3339)")
                }
            }
            #expect(report.total.from == from)
            #expect(report.total.to == to)
        }
    }

    @Test("as of an instant after the last row, the ledger agrees with the tokens")
    func present() async throws {
        try await database.addAppsAndCampaigns()
        try await RandomLedger(seed: 99, from: start).write(to: database)
        let now = try await database.pool.withConnection { [end] in
            try TokenStatusReport.run(for: shop, on: $0, now: end)
        }
        let past = try await status(asOf: instant("2027-01-01T00:00:00Z"))
        #expect(past.rows == now.rows)
        #expect(now.installationStates == nil)
        #expect(now.audience != nil)
    }

    @Test("a move to values of another kind is neither a gain nor a loss, unless periods part the two rows")
    func migration() async throws {
        try await database.addAppsAndCampaigns()
        try await add(1, at: 0, from: nil, to: .active, .registered, taker: 7)
        try await add(2, at: 60, from: nil, to: .active, .providerMigration, taker: 7)
        try await add(1, at: 61, from: .active, to: .retired, .providerMigration)
        let (from, to) = (start + .minutes(30), start + .minutes(90))
        for unit in TokenWaterfall.Unit.allCases {
            let report = try await waterfall(unit, from: from, to: to, by: nil)
            #expect(report.total.flows == [:])
            #expect(
                report.total.end == StateCounts(unit == .tokens ? [.active: 1, .retired: 1] : [.active: 1]))
        }
        let parted = start + .minutes(60) + Span(milliseconds: 1)
        let before = try await waterfall(.tokens, from: from, to: parted, by: nil)
        #expect(before.total.flows == [.migrated: 1])
        let after = try await waterfall(.tokens, from: parted, to: to, by: nil)
        #expect(after.total.flows == [.migrated: -1])
    }

    @Test("a rotation is a gain and a loss of tokens, and no change of the installation")
    func rotation() async throws {
        try await database.addAppsAndCampaigns()
        try await add(1, at: 0, from: nil, to: .active, .registered, taker: 7)
        try await add(2, at: 60, from: nil, to: .active, .registered, taker: 7)
        try await add(1, at: 60, from: .active, to: .retired, .rotated)
        let (from, to) = (start + .minutes(30), start + .minutes(90))
        let tokens = try await waterfall(.tokens, from: from, to: to, by: nil)
        #expect(tokens.total.flows == [.registered: 1, .rotated: 1])
        #expect(tokens.total.net == 0)
        let installations = try await waterfall(.installations, from: from, to: to, by: nil)
        #expect(installations.total.moves.isEmpty)
        #expect(installations.total.end == StateCounts([.active: 1]))
    }

    @Test("a token that moves takes the former installation out of the audience")
    func transfer() async throws {
        try await database.addAppsAndCampaigns()
        try await add(1, at: 0, from: nil, to: .active, .registered, taker: 7)
        try await add(1, at: 60, from: .active, to: .active, .transferred, taker: 8)
        let report = try await waterfall(.installations, from: start, to: start + .hours(2), by: nil)
        #expect(report.total.flows == [.registered: 2, .retired("transferred"): 1])
        #expect(report.total.end == StateCounts([.active: 1, .retired: 1]))
    }

    @Test("a ledger that contradicts itself is not printed", arguments: TokenWaterfall.Unit.allCases)
    func contradiction(unit: TokenWaterfall.Unit) async throws {
        try await database.addAppsAndCampaigns()
        try await add(1, at: 0, from: nil, to: .active, .registered, taker: 7)
        try await add(1, at: 60, from: .stale, to: .retired, .swept)
        await #expect(throws: ReportError.self) {
            try await waterfall(unit, from: start, to: start + .hours(2), by: nil)
        }
    }

    @Test(
        "late history belongs to the day it happened, and is unknown before it arrived",
        arguments: TokenWaterfall.Unit.allCases)
    func history(unit: TokenWaterfall.Unit) async throws {
        try await database.addAppsAndCampaigns()
        // A week's tokens, imported on the ninth day. One of them died on the third, and its response was
        // posted with them.
        let day: Int64 = 24 * 60
        for token in 1...7 as ClosedRange<Int64> {
            try await add(
                token, at: 9 * day, from: nil, to: .active, .registered, taker: token,
                evidence: ("registered_at", start + .days(token - 1)))
        }
        try await add(
            3, at: 9 * day + 1, from: .active, to: .retired, .unregistered,
            evidence: ("sent_at", start + .days(3) + .minutes(1)))
        // A decision of the service itself happens when it is made.
        try await add(
            4, at: 9 * day + 2, from: .active, to: .stale, .stale, evidence: ("registered_at", start))
        let (from, to) = (start - .days(1), start + .days(10))
        let now = try await waterfall(unit, from: from, to: to, by: .day, asOf: to)
        #expect(
            now.periods.map { $0.flows[.registered, default: 0] } == [0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
        #expect(now.periods.firstIndex { $0.flows[.retired("unregistered")] == 1 } == 4)
        #expect(now.periods.firstIndex { $0.flows[.stale] == 1 } == 10)
        let earlier = try await waterfall(
            unit, from: from, to: start + .days(8), by: .day, asOf: start + .days(8))
        #expect(earlier.total.end == StateCounts())
        #expect(try await waterfall(unit, from: from, to: to, by: .day, asOf: to) == now)
    }

    @Test("other apps' tokens are not counted")
    func apps() async throws {
        try await database.addAppsAndCampaigns()
        try await add(1, at: 0, from: nil, to: .active, .registered, taker: 7)
        let news = try await database.pool.withConnection { [end] in
            try TokenStatusReport.run(for: .init(appID: 2, slug: "news"), asOf: end, on: $0)
        }
        #expect(news.rows.isEmpty)
        #expect(news.installations == 0)
        #expect(try await status(asOf: end).installations == 1)
    }

    /// Adds one row to the ledger, this many minutes after the start.
    @Test("installations without a token count beside the moves: once per period, and once in the totals")
    func registrationFailures() async throws {
        try await database.addAppsAndCampaigns()
        // Local midnight is at 22:00 UTC from the 29th on.
        for (app, installation, failedAt) in [
            (1, 7, "2026-03-29T21:59:00Z"), (1, 7, "2026-03-30T06:00:00Z"), (1, 7, "2026-03-31T06:00:00Z"),
            (1, 8, "2026-03-29T22:00:00Z"), (1, 9, "2026-03-31T22:00:00Z"), (2, 10, "2026-03-30T06:00:00Z"),
        ] as [(Int64, Int64, String)] {
            try await database.execute(
                """
                INSERT INTO landfall.registration_failure (app_id, day, installation_id, failed_at)
                VALUES ($1, date_trunc('day', $3::timestamptz, 'UTC'), $2, $3)
                """, [.value(app), .value(installation), .value(instant(failedAt))])
        }
        let (from, to) = (instant("2026-03-29T22:00:00Z"), instant("2026-03-31T22:00:00Z"))
        let report = try await waterfall(.installations, from: from, to: to, by: .day)
        #expect(report.periods.map(\.registrationFailures) == [2, 1])
        #expect(report.total.registrationFailures == 2)
        #expect(report.total.net == 0)
        let earlier = try await waterfall(
            .installations, from: from, to: to, by: nil, asOf: instant("2026-03-30T05:00:00Z"))
        #expect(earlier.total.registrationFailures == 1)
        #expect(try await waterfall(.tokens, from: from, to: to, by: .day).total.registrationFailures == nil)
    }

    private func add(
        _ token: Int64, at minutes: Int64, from: TokenState?, to: TokenState, _ rule: TokenRule,
        taker: Int64? = nil, evidence: (name: String, instant: Instant)? = nil
    ) async throws {
        try await database.execute(
            """
            INSERT INTO landfall.token (token_id, app_id, provider, environment, topic, fingerprint, kind, state, first_seen_at,
                                        last_sign_of_life_at, state_changed_at)
            OVERRIDING SYSTEM VALUE
            VALUES ($1, 1, 'apns', 'production', '', sha256(int8send($1)), 'alert', $2, now(), now(), now())
            ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO UPDATE SET state = excluded.state
            """, [.value(token), .value(to.rawValue)])
        try await database.execute(
            """
            INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
            VALUES (1, $1, $2, $3, $4, $5, jsonb_strip_nulls(jsonb_build_object(
                'to_installation_id', $6::bigint, $7::text, (extract(epoch FROM $8::timestamptz) * 1000)::bigint)))
            """,
            [
                .value(token), .value(start + .minutes(minutes)), .value(from?.rawValue), .value(to.rawValue),
                .value(rule.rawValue), .value(taker), .value(evidence?.name ?? "none"),
                .value(evidence?.instant),
            ])
    }
}
