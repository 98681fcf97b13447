internal import DeliveryModel
internal import PostgresClient
internal import Synchronization

/// The breakers that one transaction has locked, and their counts.
///
/// Only batches that would take tokens out of use lock any. Until they commit, other batches that would do so
/// for the same app, environment and topic wait. So the limit is exact with any number of writers.
struct LockedBreakers {
    private struct Breaker {
        var isOpen: Bool
        let wasOpen: Bool
        var counts: BreakerCounts
        let rules: BreakerRules
        /// Tokens that this transaction takes out of use.
        var retired: Int64 = 0
    }

    private let now: Instant
    /// The share of an app's pushes that were rejected because the token is dead or suspect, in the 30 days
    /// before the last 24 hours.
    private let usual: TimedCache<Int64, Double>
    private var breakers: [BreakerKey: Breaker] = [:]
    /// The usual shares by app, only for apps whose breakers may open in this transaction.
    private var usualShares: [Int64: Double] = [:]

    init(now: Instant, usual: TimedCache<Int64, Double>) {
        self.now = now
        self.usual = usual
    }

    /// The judgments in the same order; those that may not retire a token become suspicions.
    mutating func holdBack(
        _ judgments: [TokenJudgment], on connection: PostgresConnection
    ) throws -> [TokenJudgment] {
        let keys = Set(judgments.filter(\.takesOutOfUse).map(\.breaker))
        guard !keys.isEmpty else { return judgments }
        try lock(keys.subtracting(breakers.keys).sorted(), on: connection)
        try readUsualShares(judgments, on: connection)
        return judgments.compactMap { judgment in
            guard judgment.takesOutOfUse, let counts = held(judgment), judgment.retires else {
                return judgment
            }
            return judgment.judgedAgain(judgment.before, now: now, held: counts)
        }
    }

    /// `nil` if one more token may retire; otherwise the breaker's counts. If the token counts, it is added,
    /// and may open the breaker for those after it.
    private mutating func held(_ judgment: TokenJudgment) -> BreakerCounts? {
        if let breaker = breakers[judgment.breaker], breaker.isOpen { return breaker.counts }
        if judgment.counts(at: now) { count(1, in: judgment.breaker) }
        return nil
    }

    /// Removes from the counts judgments whose tokens another transaction changed first: they are made again.
    mutating func takeBack(_ judgments: [TokenJudgment]) {
        for judgment in judgments where judgment.takesOutOfUse && judgment.counts(at: now) {
            count(-1, in: judgment.breaker)
        }
    }

    private mutating func count(_ tokens: Int64, in key: BreakerKey) {
        guard var breaker = breakers[key] else { return }
        breaker.counts.retired += tokens
        breaker.retired += tokens
        breaker.isOpen =
            breaker.wasOpen
            || breaker.rules.isExceeded(by: breaker.counts, usual: usualShares[key.appID] ?? 0)
        breakers[key] = breaker
    }

    /// Call it when everything else is written. Counting the responses has already locked the minute's rows.
    func record(_ minute: BreakerMinute, shard: Int16, on connection: PostgresConnection) {
        let counted = breakers.filter { $0.value.retired > 0 }
            .mapValues { BreakerCounts(attempted: 0, retired: $0.retired) }
        if !counted.isEmpty { connection.enqueue(minute.statement(counted, shard: shard)) }
        let tripped = breakers.filter { $0.value.isOpen && !$0.value.wasOpen }.keys.sorted()
        guard !tripped.isEmpty else { return }
        connection.enqueue(.Tokens.openBreakers, tripped.parameters + [.value(now)])
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
            breakers[keys[try row.askedIndex]] = Breaker(
                isOpen: isOpen, wasOpen: isOpen, counts: counts, rules: rules)
        }
    }

    /// Reads the usual shares only where the new counts would exceed the limit of an app without losses.
    private mutating func readUsualShares(
        _ judgments: [TokenJudgment], on connection: PostgresConnection
    ) throws {
        var worst = breakers.filter { !$0.value.isOpen }
        for judgment in judgments where judgment.takesOutOfUse && judgment.counts(at: now) {
            worst[judgment.breaker]?.counts.retired += 1
        }
        let apps = Set(
            worst.filter { $0.value.rules.isExceeded(by: $0.value.counts, usual: 0) }.map(\.key.appID)
        ).subtracting(usualShares.keys)
        guard !apps.isEmpty else { return }
        let end = (now - BreakerRules.latestPushes).startOfQuarter
        let shares = try usual.values(of: apps.sorted(), now: now) { apps in
            try connection.query(
                .Tokens.usualRejections,
                [.array(apps), .value(end - .days(BreakerRules.usualDays)), .value(end)]
            ).reduce(into: [:]) { shares, row in
                let proportion = Proportion(try row.get("rejected"), of: try row.get("attempted"))
                shares[apps[try row.askedIndex]] = proportion.value ?? 0
            }
        }
        usualShares.merge(shares) { known, _ in known }
    }
}

/// The minute in which a batch is written, and the breakers' counts in it.
struct BreakerMinute {
    private static let minute = Span.minutes(1).milliseconds
    /// The number of places in the ring: more than the window's minutes, as servers' clocks differ slightly.
    private static let places: Int64 = 16

    private let number: Int64

    init(_ now: Instant) {
        number = now.millisecondsSinceEpoch / Self.minute
    }

    var start: Instant { Instant(millisecondsSinceEpoch: number * Self.minute) }

    /// The first minute that still counts.
    var windowStart: Instant { start - .minutes(BreakerRules.windowMinutes - 1) }

    /// Adds to the counts of this minute.
    func statement(_ counts: [BreakerKey: BreakerCounts], shard: Int16) -> PostgresStatement {
        let sorted = counts.sorted { $0.key < $1.key }
        return PostgresStatement(
            .Tokens.countResponses,
            sorted.map(\.key).parameters + [
                .array(sorted.map(\.value.attempted)), .array(sorted.map(\.value.retired)), .value(shard),
                .value(Int16(number % Self.places)), .value(start),
            ])
    }

    /// The tokens that breakers count, each once. Nearly all responses of a batch are about one app and
    /// topic, so the key is looked up only when it changes.
    static func attempts(_ responses: [TokenResponse], now: Instant) -> [BreakerKey: BreakerCounts] {
        var counts: [BreakerKey: BreakerCounts] = [:]
        var seen = Set<Int64>(minimumCapacity: responses.count)
        var run: (key: BreakerKey, count: Int64)?
        func close() {
            guard let run else { return }
            counts[run.key, default: BreakerCounts(attempted: 0, retired: 0)].attempted += run.count
        }
        for response in responses
        where response.token.countsForBreaker(CollectionOfOne(response.evidence.sentAt), now: now)
            && seen.insert(response.token.tokenID).inserted
        {
            if let current = run, current.key == response.breaker {
                run = (current.key, current.count + 1)
            } else {
                close()
                run = (response.breaker, 1)
            }
        }
        close()
        return counts
    }
}

/// The tokens that one breaker protects, by app, environment and topic.
struct BreakerKey: Hashable, Comparable, Sendable {
    let appID: Int64
    let environment: Environment
    let topic: String

    /// The order in which rows are locked.
    static func < (left: BreakerKey, right: BreakerKey) -> Bool {
        (left.appID, left.environment.rawValue, left.topic)
            < (right.appID, right.environment.rawValue, right.topic)
    }
}

extension [BreakerKey] {
    var parameters: [PostgresParameter] {
        [.array(map(\.appID)), .array(map(\.environment.rawValue)), .array(map(\.topic))]
    }
}

/// Caches values for some seconds. While a whole app version is rejected, every batch needs the same ones.
final class TimedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var lifetime: Span { .seconds(10) }
    private let known = Mutex<[Key: (value: Value, at: Instant)]>([:])

    /// The values of these keys.
    ///
    /// - Parameter read: called with the keys that are not cached, if there are any.
    func values(of keys: [Key], now: Instant, read: ([Key]) throws -> [Key: Value]) rethrows -> [Key: Value] {
        let cached: [Key: Value] = known.withLock { known in
            known = known.filter { now - $0.value.at < Self.lifetime }
            return keys.reduce(into: [:]) { $0[$1] = known[$1]?.value }
        }
        let unknown = keys.filter { cached[$0] == nil }
        guard !unknown.isEmpty else { return cached }
        let values = try read(unknown)
        known.withLock { $0.merge(values.mapValues { (value: $0, at: now) }) { _, new in new } }
        return cached.merging(values) { _, new in new }
    }
}
