internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Logging
public import PostgresClient
internal import Synchronization
internal import TokenLifecycle
internal import Vault

/// Decoder, validator, batcher and writer in this process, several sets of them on one database, as in
/// several servers.
public final class WriterIntake: Intake {
    private let lines: [Line]
    private let pool: PostgresPool
    private let registry: DeviceRegistry
    private let nextNumber: Mutex<Int64>
    private let taxonomy: RejectionTaxonomy

    /// One server's part: its writers and their connections.
    private struct Line: Sendable {
        let batcher: EventBatcher
        let pool: PostgresPool
    }

    private static let writersPerLine = 2
    /// A shard of the counters that belongs to no writer.
    private static let registrationShard: Int16 = 63

    /// - Parameters:
    ///   - pool: for registrations.
    ///   - firstAppID: the first id of the histories' apps.
    public init(
        url: String, schema: SchemaName = .landfall, pool: PostgresPool, lineCount: Int = 2,
        firstAppID: Int64 = 1
    ) async throws {
        let vault = TokenVault(.random())
        let taxonomy = try await pool.withConnection { try RejectionTaxonomy(from: $0) }
        let logger = Logger(label: "reference-model")
        lines = (0..<lineCount).map { number in
            var configuration = PostgresPool.Configuration(
                url: url, schema: schema, size: Self.writersPerLine)
            configuration.plansOnce = true
            let pool = PostgresPool(configuration, logger: logger)
            let writer = DeliveryWriter(
                pool: pool, vault: vault, taxonomy: taxonomy,
                firstShard: Int16(number * Self.writersPerLine), logger: logger)
            let batcher = EventBatcher(writers: Self.writersPerLine) { items, number in
                try await writer.write(items, writer: number)
            }
            return Line(batcher: batcher, pool: pool)
        }
        self.pool = pool
        registry = DeviceRegistry(vault: vault)
        self.taxonomy = taxonomy
        nextNumber = Mutex(firstAppID)
    }

    public func close() async throws {
        for line in lines { try await line.pool.close() }
    }

    private func number() -> Int64 {
        nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
    }

    public func openApp() -> IntakeApp { IntakeApp(appID: number(), serverKey: "", deviceKey: "") }

    public func register(_ device: IntakeDevice, app: IntakeApp) async throws {
        var registration = Registration(deviceID: device.device.deviceID, registeredAt: .now)
        registration.tokens = [TokenKind.alert, .fcm].map { kind in
            TokenAddress(
                provider: kind.provider, environment: .production, topic: HistoryDevice.topic, kind: kind,
                value: HistoryDevice.value(device.device.token, of: kind.provider))
        }
        registration.platform = device.traits.platform
        registration.appVersion = device.traits.appVersion
        registration.osVersion = device.traits.osVersion
        registration.language = device.traits.language
        registration.permission = device.traits.permission
        let made = registration
        let registered = try await pool.withTransaction(attempts: 4) { connection in
            try self.registry.register(made, appID: app.appID, now: .now, on: connection)
        }
        try await pool.withConnection(attempts: 4) { connection in
            _ = try WaitingMessages(shard: Self.registrationShard).claim(registered.tokens, on: connection)
        }
    }

    public func post(_ body: IntakeBody, app: IntakeApp) async throws -> IntakeResponse {
        let items = try EventBody(body.bytes, isNDJSON: body.isNDJSON, limit: 10_000).items
        let validator = EventValidator(
            appID: app.appID, poster: body.isByDevice ? .device : .server,
            now: Instant(millisecondsSinceEpoch: body.now),
            taxonomy: taxonomy)
        let batch = items.map {
            BatchItem(appID: app.appID, text: $0, poster: .server, content: validator.decode($0))
        }
        // Any server may get any request.
        let line = lines[Int.random(in: 0..<lines.count)]
        return IntakeResponse(try await line.batcher.record(batch))
    }
}

extension IntakeResponse {
    fileprivate init(_ verdicts: [Verdict]) {
        self.verdicts = verdicts.map { verdict in
            switch verdict.outcome {
            case .accepted: .accepted
            case .duplicate: .duplicate
            case .rejected(let rejection): .rejected(rejection.code.rawValue)
            // No quota is spent here.
            case .overQuota: .rejected("quota_exceeded")
            }
        }
        for (position, verdict) in verdicts.enumerated() {
            switch verdict.outcome {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            case .rejected(let rejection): rejected[position] = rejection.code.rawValue
            case .overQuota: rejected[position] = "quota_exceeded"
            }
        }
    }
}
