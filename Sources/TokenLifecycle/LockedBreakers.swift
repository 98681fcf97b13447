internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// The breakers that one transaction has locked, and how many more tokens each lets retire.
///
/// Only batches that would retire tokens lock any. Until they commit, others that would retire tokens of the same app,
/// environment and topic wait: so the limit holds to the token, however many write.
struct LockedBreakers {
    private struct Breaker {
        var isOpen: Bool
        var wasOpen: Bool
        var counts: BreakerCounts
        let limit: Int64
        /// Tokens that this transaction retires.
        var retired: Int64 = 0
    }

    private let now: Instant
    private var breakers: [BreakerKey: Breaker] = [:]

    init(now: Instant) {
        self.now = now
    }

    /// The judgements with those that must not retire any more turned into suspicions; in the same order.
    mutating func holdBack(
        _ judgements: [TokenJudgement], on connection: PostgresConnection
    ) throws -> [TokenJudgement] {
        let keys = Set(judgements.filter(\.retires).map(\.breaker))
        guard !keys.isEmpty else { return judgements }
        try lock(keys.subtracting(breakers.keys).sorted(), on: connection)
        return judgements.compactMap { judgement in
            guard judgement.retires, let counts = held(judgement.breaker) else { return judgement }
            return judgement.judgedAgain(judgement.before, now: now, held: counts)
        }
    }

    /// Nil when one more token may retire, which is counted; else what the breaker has counted.
    private mutating func held(_ key: BreakerKey) -> BreakerCounts? {
        guard var breaker = breakers[key] else { return nil }
        defer { breakers[key] = breaker }
        if breaker.counts.retired >= breaker.limit { breaker.isOpen = true }
        guard !breaker.isOpen else { return breaker.counts }
        breaker.counts.retired += 1
        breaker.retired += 1
        return nil
    }

    /// Another transaction was faster: these did not retire after all, and will be judged again.
    mutating func takeBack(_ judgements: [TokenJudgement]) {
        for judgement in judgements where judgement.retires {
            breakers[judgement.breaker]?.counts.retired -= 1
            breakers[judgement.breaker]?.retired -= 1
        }
    }

    /// To be called when everything else is written. Rows of the minute were locked before, by counting the answers.
    func record(_ minute: BreakerMinute, slot: Int16, on connection: PostgresConnection) {
        let counted = breakers.filter { $0.value.retired > 0 }
            .mapValues { BreakerCounts(attempted: 0, retired: $0.retired) }
        if !counted.isEmpty { connection.enqueue(minute.statement(counted, slot: slot)) }
        let tripped = breakers.filter { $0.value.isOpen && !$0.value.wasOpen }.keys.sorted()
        guard !tripped.isEmpty else { return }
        connection.enqueue(PostgresStatement(.Tokens.openBreakers, tripped.parameters + [.value(now)]))
    }

    private mutating func lock(_ keys: [BreakerKey], on connection: PostgresConnection) throws {
        guard !keys.isEmpty else { return }
        let windowStart = BreakerMinute(now).windowStart
        let rows = try connection.query([
            PostgresStatement(.Tokens.makeBreakers, keys.parameters),
            PostgresStatement(.Tokens.lockBreakers, keys.parameters),
            PostgresStatement(.Tokens.readBreakers, keys.parameters + [.value(windowStart)]),
        ])
        for row in rows[2] {
            var rules = BreakerRules()
            rules.minimum = try row.getOptional("breaker_minimum") ?? rules.minimum
            rules.share = try row.getOptional("breaker_share") ?? rules.share
            let counts = BreakerCounts(
                attempted: try row.get("attempted_count"), retired: try row.get("retired_count"))
            let isOpen = try row.get("is_open", as: Bool.self)
            let position = try row.get("position", as: Int64.self)
            breakers[keys[Int(position) - 1]] = Breaker(
                isOpen: isOpen, wasOpen: isOpen, counts: counts,
                limit: rules.limit(attempted: counts.attempted))
        }
    }
}
