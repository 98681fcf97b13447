internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Vault

/// Brings a database into the state of one that has been in use: registered devices, and 30 days of
/// notifications.
///
/// It uses its own statements because 300,000 single registrations would take longer than all measurements.
struct DatabaseFilling: Sendable {
    let appID: Int64
    let vault: TokenVault
    let pool: PostgresPool

    private static let registrationsAtOnce = 10_000

    func register(_ devices: [BenchDevice]) async throws {
        let parts = stride(from: 0, to: devices.count, by: Self.registrationsAtOnce).map { start in
            devices[start..<min(start + Self.registrationsAtOnce, devices.count)]
        }
        try await pool.each(parts) { connection, part in
            try connection.query(.Bench.registerDevices, parameters(of: part))
        }
    }

    private func parameters(of devices: ArraySlice<BenchDevice>) throws -> [PostgresParameter] {
        [
            .value(appID), .value(BenchDevice.topic), .value(Instant.now), .array(devices.map(\.deviceID)),
            .array(devices.map(\.appVersion)), .array(devices.map(\.osVersion)),
            .array(devices.map(\.language)), .array(devices.map { vault.fingerprint(of: $0.token) }),
            .array(try devices.map { try vault.seal(Array($0.token.utf8), for: .token(ofApp: appID)) }),
            .array(devices.map(\.registeredAt)),
        ]
    }

    /// Loads accepted notifications, spread evenly over the last 30 days, with their counters.
    func load(rows: Int, now: Instant) async throws {
        let appID = appID
        try await pool.withConnection { connection in
            _ = try connection.query(
                .Bench.nameWords,
                [
                    .value(appID), .value(BenchDevice.topic),
                    .array((0..<BenchNotification.campaignCount).map { "campaign-\($0)" }),
                ])
            _ = try connection.query(.Bench.analyzeTokens)
        }
        try await pool.each(LoadedDay.last(30, before: now, rows: rows)) { connection, day in
            let bounds: [PostgresParameter] = [.value(appID), .value(day.beginning), .value(day.end)]
            try connection.query(.Ingestion.ensurePartition, [.value(day.beginning)])
            try connection.query(.Bench.loadDeliveries, bounds + [.value(Int64(day.rows))])
            try connection.query(.Bench.countLoaded, bounds)
            try connection.query(.Bench.loadLatencyRollup, bounds)
        }
        try await pool.withConnection { connection in
            _ = try connection.query(.Bench.loadVersionRollup, [.value(appID)])
        }
    }
}
