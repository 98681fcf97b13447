internal import DeliveryModel
internal import Maintenance
internal import PostgresClient
internal import Reports

/// Brings a database into the state that reports are measured in: installations, notifications, their
/// counters, sketches.
struct ReportFilling: Sendable {
    let appID: Int64
    let traffic: ReportTraffic
    let pool: PostgresPool

    private static let devicesAtOnce = 50_000
    private static let topic = "com.example.bench"

    func fill(installations: Int) async throws {
        let (appID, traffic) = (appID, traffic)
        try await pool.withConnection { connection in
            _ = try connection.query(.Bench.nameReportWords, [.value(appID), .value(Self.topic)])
        }
        let parts = stride(from: 0, to: installations, by: Self.devicesAtOnce).map {
            $0..<min($0 + Self.devicesAtOnce, installations)
        }
        try await pool.each(parts) { connection, part in
            try connection.query(
                .Bench.loadReportDevices,
                [
                    .value(appID), .value(Self.topic), .value(traffic.from), .value(Int64(part.lowerBound)),
                    .value(Int64(part.count)),
                ])
        }
        try await pool.withConnection { _ = try $0.query(.Bench.analyzeTokens) }
        try await pool.each(0..<ReportTraffic.days) { connection, day in
            try Self.fillDay(day, of: traffic, appID: appID, on: connection)
        }
        try await pool.withConnection { connection in
            _ = try connection.query(.Bench.loadVersionRollup, [.value(appID)])
        }
    }

    private static func fillDay(
        _ number: Int, of traffic: ReportTraffic, appID: Int64, on connection: PostgresConnection
    ) throws {
        let day = traffic.day(number)
        try connection.query(.Ingestion.ensurePartition, [.value(day)])
        for stretch in traffic.stretches(ofDay: number) where stretch.rows > 0 {
            try connection.query(
                .Bench.loadReportDay,
                [
                    .value(appID), .value(stretch.from), .value(stretch.to), .value(Int64(stretch.rows)),
                    .value(stretch.campaign), .value(stretch.variant),
                ])
        }
        let bounds: [PostgresParameter] = [.value(appID), .value(day), .value(day + .days(1))]
        try connection.query(.Bench.countLoaded, bounds)
        try connection.query(.Bench.countReportLatencies, bounds)
    }

    /// Checks that the counters match the rows: a report of other numbers would be another measurement.
    func verify() async throws {
        let verification = try await pool.withConnection { try Verification.run(on: $0) }
        guard verification.differenceCount == 0, verification.notifications == traffic.rows else {
            throw BenchProblem.wrongCounters(
                differences: verification.differenceCount, notifications: verification.notifications)
        }
    }

    /// Folds the counters, because until maintenance runs they all belong to one writer's shard.
    func fold(now: Instant) async throws {
        try await pool.withConnection { _ = try Maintenance().run(now: now, on: $0) }
    }

    /// Returns how long it took, in seconds; `nil` if the server lacks the extension `hll`.
    func sketch(now: Instant) async throws -> Double? {
        do {
            try await pool.withConnection { try SketchExtension.create(on: $0) }
        } catch SketchExtensionError.notOffered {
            return nil
        }
        return try await measuring {
            try await pool.withConnection { _ = try Maintenance().sketch(now: now, on: $0) }
        }
    }
}
