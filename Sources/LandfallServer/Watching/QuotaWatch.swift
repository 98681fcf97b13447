internal import DeliveryModel
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Exchanges twice a minute with the other servers what devices used of their apps' quotas, and reads the
/// volumes of apps that are close to theirs; at the start, those of all apps of the cell.
struct QuotaWatch: Service {
    let cell: Cell
    let traffic: UnprovenTraffic
    let logger: Logger

    private static let trouble: Logger.Message = "the use of quotas could not be exchanged yet"

    func run() async {
        await every(.seconds(30), from: false) { isRead in
            if !isRead { isRead = await readAll() }
            await exchange()
        }
    }

    /// Reads the volumes of all apps. Returns whether it could.
    func readAll() async -> Bool {
        let now = cell.clock.now
        let read = await logger.attempt(Self.trouble) {
            try await cell.pool.withConnection { try Self.read(nil, at: now, on: $0) }
        }
        traffic.withApps(of: cell.number) { $0.set(volumes: read ?? [:]) }
        return read != nil
    }

    func exchange() async {
        let now = cell.clock.now
        let uses = traffic.withApps(of: cell.number) { $0.beginExchange() }
        guard !uses.isEmpty else { return }
        await logger.attempt(Self.trouble) {
            let totals = try await cell.pool.withConnection { try Self.add(uses, at: now, on: $0) }
            let apps = traffic.withApps(of: cell.number) { apps in
                apps.endExchange(totals, at: now)
                return apps.appsToRead(at: now)
            }
            guard !apps.isEmpty else { return }
            let read = try await cell.pool.withConnection { try Self.read(apps, at: now, on: $0) }
            traffic.withApps(of: cell.number) { $0.set(volumes: read) }
        }
    }

    private static func add(
        _ uses: [(key: AppHour, use: Use)], at now: Instant, on connection: PostgresConnection
    ) throws -> [AppHour: Use] {
        let rows = try connection.query(
            .Ingestion.addQuotaUse,
            [
                .array(uses.map(\.key.appID)), .array(uses.map(\.key.hour)),
                .array(uses.map(\.use.recorded[.events])), .array(uses.map(\.use.recorded[.installations])),
                .array(uses.map(\.use.rejected[.events])), .array(uses.map(\.use.rejected[.installations])),
                .value(now - .days(7)),
                .array(uses.map(\.use.recorded[.values])), .array(uses.map(\.use.rejected[.values])),
            ])
        var totals: [AppHour: Use] = [:]
        for row in rows {
            var use = Use()
            use.recorded[.events] = try row.get("unmatched_events")
            use.recorded[.installations] = try row.get("new_installations")
            use.recorded[.values] = try row.get("new_values")
            totals[AppHour(try row.get("app_id"), at: try row.get("hour"))] = use
        }
        return totals
    }

    /// - Parameter apps: `nil` for all.
    private static func read(
        _ apps: [Int64]?, at now: Instant, on connection: PostgresConnection
    ) throws -> [Int64: Int64] {
        let rows = try connection.query(
            .Ingestion.readVolumes,
            [
                apps.map { .array($0) } ?? .noArray(of: Int64.self), .value((now - .days(1)).startOfQuarter),
                .value((now + .days(1)).startOfQuarter), .value(DeliveryState.attempted.rawValue),
            ])
        var volumes: [Int64: Int64] = [:]
        for row in rows { volumes[try row.get("app_id")] = try row.get("responses", as: Int64.self) }
        return volumes
    }
}
