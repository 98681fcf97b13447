internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// The share of an app's pushes that were rejected because the token is dead or suspect, in the 30 days before the last 24 hours.
/// It is read only when a breaker is about to open, and cached for some seconds.
final class UsualRejections: Sendable {
    private let known = TimedCache<Int64, Double>()

    func shares(
        of apps: Set<Int64>, now: Instant, on connection: PostgresConnection
    ) throws -> [Int64: Double] {
        var shares = known.values(of: apps, now: now)
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
        known.remember(Dictionary(uniqueKeysWithValues: unknown.map { ($0, shares[$0] ?? 0) }), now: now)
        return shares
    }
}
