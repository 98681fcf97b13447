internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Synchronization

/// The share of an app's pushes that were rejected because the token is dead or suspect, in the 30 days before the last 24 hours.
/// It is read only when a breaker is about to open, and cached for some seconds.
final class UsualRejections: Sendable {
    private struct Known {
        let share: Double
        let at: Instant
    }

    private static let lifetime = Span.seconds(10)
    private let known = Mutex<[Int64: Known]>([:])

    func shares(
        of apps: Set<Int64>, now: Instant, on connection: PostgresConnection
    ) throws -> [Int64: Double] {
        var shares: [Int64: Double] = known.withLock { known in
            known = known.filter { now - $0.value.at < Self.lifetime }
            return apps.reduce(into: [:]) { $0[$1] = known[$1]?.share }
        }
        let unknown = apps.filter { shares[$0] == nil }.sorted()
        guard !unknown.isEmpty else { return shares }
        let end = (now - BreakerRules.latestPushes).startOfQuarter
        let rows = try connection.query(
            .Tokens.usualRejections,
            [
                .array(unknown), .value(end - .days(BreakerRules.usualDays)), .value(end),
            ])
        for row in rows {
            let proportion = Proportion(try row.get("rejected"), of: try row.get("attempted"))
            shares[unknown[Int(try row.get("position", as: Int64.self)) - 1]] = proportion.value ?? 0
        }
        known.withLock { known in
            for app in unknown { known[app] = Known(share: shares[app] ?? 0, at: now) }
        }
        return shares
    }
}
