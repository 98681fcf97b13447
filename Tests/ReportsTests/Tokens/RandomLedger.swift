import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase

@testable import Reports

/// A random ledger, and its state at any instant, computed without SQL.
struct RandomLedger {
    struct Row {
        let token: Int64
        let at: Instant
        let from: TokenState?
        let to: TokenState
        let rule: TokenRule
        /// The installation that takes the token; `nil` if none does.
        let taker: Int64?
        /// The time of the registration or push behind it, if it differs from the time of the decision.
        var happenedAt: Instant?

        var time: Instant { min(happenedAt ?? at, at) }
    }

    /// The rows in the order in which they are written.
    private(set) var rows: [Row] = []
    /// Kinds by token.
    private(set) var kinds: [Int64: TokenKind] = [:]

    init(seed: UInt64, from start: Instant) {
        var random = SeededRandom(seed: seed)
        var clock = start
        for _ in 0..<120 {
            clock = clock + .minutes(.random(in: 0...240, using: &random))
            // Clocks of servers differ, and some servers wait longer than others between reading theirs and
            // writing.
            let isLate = Int.random(in: 0..<6, using: &random) == 0
            let at = isLate ? clock - .minutes(.random(in: 0...3_000, using: &random)) : clock
            add(token: .random(in: 1...14, using: &random), at: at, &random)
        }
    }

    private mutating func add(token: Int64, at: Instant, _ random: inout SeededRandom) {
        let kind = Bool.random(using: &random) ? TokenKind.alert : [.voip, .fcm][Int(token % 2)]
        kinds[token] = kinds[token] ?? kind
        let past = rows.filter { $0.token == token }
        let holder = past.last { $0.taker != nil }?.taker
        let someone = Int64.random(in: 1...5, using: &random)
        let (to, rule, taker): (TokenState, TokenRule, Int64?)
        switch (past.last?.to, Int.random(in: 0..<6, using: &random)) {
        case (nil, 0): (to, rule, taker) = (.active, .discovered, nil)
        case (nil, _): (to, rule, taker) = (.active, .registered, someone)
        case (_, 0): (to, rule, taker) = (.active, holder == nil ? .registered : .transferred, someone)
        case (.active?, 1): (to, rule, taker) = (.active, .late410Ignored, nil)
        case (.active?, 2): (to, rule, taker) = (.suspect, .badToken, nil)
        case (.active?, 3): (to, rule, taker) = (.stale, .stale, nil)
        case (.active?, 4): (to, rule, taker) = (.retired, .rotated, nil)
        case (.active?, _): (to, rule, taker) = (.retired, .unregistered, nil)
        case (.stale?, 1...3): (to, rule, taker) = (.retired, .swept, nil)
        case (.suspect?, 1...2): (to, rule, taker) = (.retired, .badToken, nil)
        default: (to, rule, taker) = (.active, .revived, holder)
        }
        var row = Row(token: token, at: at, from: past.last?.to, to: to, rule: rule, taker: taker)
        // An import, or a log shipper that was days late.
        let isHistory = Int.random(in: 0..<3, using: &random) == 0
        if isHistory, Self.kept.contains(rule) {
            row.happenedAt = at - .minutes(.random(in: -10...9_000, using: &random))
        }
        rows.append(row)
    }

    /// Rules whose time is in the evidence.
    private static let kept: Set<TokenRule> = [
        .registered, .discovered, .transferred, .revived, .rotated, .badToken, .unregistered,
    ]

    /// The rows that happened before one instant and were decided before another, without any that follow a
    /// missing row.
    private func known(
        asOf instant: Instant, knownAt: Instant, _ isCounted: (TokenKind) -> Bool
    ) -> [Int64: [Row]] {
        Dictionary(grouping: rows, by: \.token)
            .filter { isCounted(kinds[$0.key] ?? .alert) }
            .mapValues { Array($0.prefix { $0.at < knownAt && $0.time < instant }) }
    }

    func tokens(
        asOf instant: Instant, knownAt: Instant, _ isCounted: (TokenKind) -> Bool
    ) -> StateCounts {
        var counts = StateCounts()
        for rows in known(asOf: instant, knownAt: knownAt, isCounted).values {
            if let last = rows.last { counts[last.to] += 1 }
        }
        return counts
    }

    /// The best state of the tokens each installation holds.
    func installations(asOf instant: Instant, knownAt: Instant) -> StateCounts {
        var best: [Int64: Int] = [:]
        for rows in known(asOf: instant, knownAt: knownAt, TokenKind.alerting.contains).values {
            for case let taker? in rows.map(\.taker) { best[taker] = best[taker] ?? 3 }
            guard let last = rows.last, let holder = rows.last(where: { $0.taker != nil })?.taker else {
                continue
            }
            let order: [TokenState] = [.active, .suspect, .stale, .retired]
            best[holder] = min(best[holder] ?? 3, order.firstIndex(of: last.to) ?? 3)
        }
        var counts = StateCounts()
        for position in best.values { counts[[.active, .suspect, .stale, .retired][position]] += 1 }
        return counts
    }

    /// The number of installations that have held a token that shows notifications by then.
    func holders(asOf instant: Instant) -> Int {
        Set(
            known(asOf: instant, knownAt: instant, TokenKind.alerting.contains).values.joined().compactMap(
                \.taker)
        ).count
    }

    func write(to database: TestDatabase) async throws {
        let states = Dictionary(rows.map { ($0.token, $0.to) }, uniquingKeysWith: { $1 })
        let tokens = states.keys.sorted()
        try await database.execute(
            """
            INSERT INTO landfall.token (token_id, app_id, provider, environment, topic, fingerprint, kind, state, first_seen_at,
                                        last_sign_of_life_at, state_changed_at)
            OVERRIDING SYSTEM VALUE
            SELECT token_id, 1, 'apns', 'production', '', sha256(int8send(token_id)), kind, state, now(), now(), now()
            FROM unnest($1::bigint[], $2::text[], $3::text[]) AS token (token_id, kind, state)
            """,
            [
                .array(tokens), .array(tokens.map { (kinds[$0] ?? .alert).rawValue }),
                .array(tokens.map { (states[$0] ?? .active).rawValue }),
            ])
        try await database.execute(
            """
            INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
            SELECT 1, token_id, at, from_state, to_state, rule,
                   jsonb_strip_nulls(jsonb_build_object(
                       'to_installation_id', taker_id,
                       CASE WHEN rule IN ('discovered', 'bad_token', 'unregistered') THEN 'sent_at' ELSE 'registered_at' END,
                       (extract(epoch FROM happened_at) * 1000)::bigint))
            FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[])
                 WITH ORDINALITY AS line (token_id, at, from_state, to_state, rule, taker_id, happened_at, position)
            ORDER BY position
            """,
            [
                .array(rows.map(\.token)), .array(rows.map(\.at)),
                .nullableArray(rows.map { $0.from?.rawValue }),
                .array(rows.map(\.to.rawValue)), .array(rows.map(\.rule.rawValue)),
                .nullableArray(rows.map(\.taker)), .nullableArray(rows.map(\.happenedAt)),
            ])
    }
}
