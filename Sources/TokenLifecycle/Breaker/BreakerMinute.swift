internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// The minute in which a batch is written, and the breakers' counts in it.
struct BreakerMinute {
    private static let minute = Span.minutes(1).milliseconds
    /// The number of places in the ring: more than the window's minutes, so that the servers' clocks may differ slightly.
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

    /// The tokens that breakers count, each once. Nearly all responses of a batch are about one app and topic, so the key is
    /// looked up only when it changes.
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
