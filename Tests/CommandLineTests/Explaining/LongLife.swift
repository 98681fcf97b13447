import Access
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import TokenLifecycle
import Vault

/// Half a year of one installation, passed through the real registry, writer and sweep at fixed instants.
struct LongLife {
    let database = TestDatabase.current
    let vault: TokenVault
    let registry: DeviceRegistry

    static let deviceID = UUID(uuidString: "6f9619ff-8b86-4011-b42d-00cf4fc964ff") ?? UUID()
    static let secondDeviceID = UUID(uuidString: "0b9e2f6a-52d1-4e0c-9a7e-3f1d8c5b2a44") ?? UUID()
    static let value = String(repeating: "ab12", count: 16)
    static let nextValue = String(repeating: "cd34", count: 16)
    static let now = instant("2025-07-01T10:00:00Z")
    static let channelPush = id("2025-02-11T09:00:00Z", 6)

    init() throws {
        // A fixed key keeps the fingerprints the same in every run.
        vault = TokenVault(try TokenKey(base64: Data(repeating: 7, count: 32).base64EncodedString()))
        registry = DeviceRegistry(vault: vault)
    }

    static func instant(_ text: String) -> Instant {
        Instant(rfc3339: text) ?? Instant(millisecondsSinceEpoch: 0)
    }

    /// A version 7 id that contains the time of sending; the number distinguishes ids of the same instant.
    static func id(_ sentAt: String, _ number: UInt8) -> UUID {
        let time = withUnsafeBytes(of: instant(sentAt).millisecondsSinceEpoch.bigEndian) {
            Array($0.suffix(6))
        }
        return UUID(
            uuid: (
                time[0], time[1], time[2], time[3], time[4], time[5], 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number
            ))
    }

    func live() async throws {
        try database.numberFromOne()
        try await database.pool.withConnection { connection in
            for slug in ["shop", "garden"] {
                _ = try AppDirectory(connection).createApp(
                    slug: slug, at: Self.instant("2025-01-01T00:00:00Z"))
            }
        }
        try await register(Self.value, at: "2025-01-05T09:00:00Z", account: "anna")
        try await push("2025-01-10T10:00:00Z", 1, status: 200, campaign: "new year") {
            $0.expiresAt = Self.instant("2025-01-11T10:00:00Z")
            $0.sender = "checkout"
            $0.providerID = "8C1B0E9A-52D1-4E0C-9A7E-3F1D8C5B2A44"
            $0.contentAvailable = true
        }
        try await report(.arrival, "2025-01-10T10:00:00Z", 1, at: "2025-01-10T10:00:01.200Z")
        try await report(.click, "2025-01-10T10:00:00Z", 1, at: "2025-01-10T10:00:09Z", action: "open-cart")
        // APNs reports the token dead, the app registers the same value again, and a response from in between
        // arrives late.
        try await push(
            "2025-02-01T10:00:00Z", 2, status: 410, reason: "Unregistered",
            invalidSince: "2025-01-31T20:00:00Z")
        try await register(Self.value, at: "2025-02-03T08:00:00Z", account: "anna")
        try await push(
            "2025-02-02T12:00:00Z", 3, status: 410, reason: "Unregistered",
            invalidSince: "2025-02-02T11:00:00Z")
        // The sender uses the wrong environment for an hour.
        try await push("2025-02-10T10:00:00Z", 4, status: 400, reason: "BadDeviceToken")
        try await push("2025-02-10T13:00:00Z", 5, status: 200)
        try await channel("2025-02-11T09:00:00Z", 6)
        // Silence, a sweep, and a late sign of life.
        try await sweep(at: "2025-05-01T03:00:00Z")
        try await push("2025-05-02T08:00:00Z", 7, status: 200)
        try await report(.arrival, "2025-05-02T08:00:00Z", 7, at: "2025-05-03T08:00:00Z")
        try await register(Self.nextValue, at: "2025-06-20T18:30:00Z", account: "ben", permission: "denied")
        try await push("2025-06-25T10:00:00Z", 8, status: 200)
        try await dateLedger()
    }

    func register(
        _ value: String, at: String, account: String, permission: String = "authorized",
        device: UUID = LongLife.deviceID
    ) async throws {
        let now = Self.instant(at)
        var registration = Registration(deviceID: device, registeredAt: now)
        registration.tokens = [address(value)]
        registration.platform = "ios"
        registration.appVersion = "7.1.0"
        registration.osVersion = "18.1"
        registration.model = "iPhone15,2"
        registration.language = "de"
        registration.timeZone = "Europe/Berlin"
        registration.account = account
        registration.permission = permission
        registration.tags = ["vip"]
        let posted = registration
        try await database.pool.withTransaction { connection in
            _ = try registry.register(posted, appID: 1, now: now, on: connection)
        }
    }

    private func address(_ value: String) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert, value: value)
    }

    func push(
        _ sentAt: String, _ number: UInt8, status: Int, reason: String? = nil, invalidSince: String? = nil,
        campaign: String = "", stating: (inout DeliveryFacts) -> Void = { _ in }
    ) async throws {
        var response = ProviderResponse(provider: "apns", status: status)
        response.reason = reason
        response.facts.invalidSince = invalidSince.map(Self.instant)
        response.target = .token(address(Self.value))
        response.topic = "com.example.shop"
        response.priority = "10"
        response.campaign = campaign
        stating(&response.facts)
        try await write(.response(response), sentAt, number)
    }

    /// A click on a push without a response.
    private func channel(_ sentAt: String, _ number: UInt8) async throws {
        try await report(.click, sentAt, number, at: sentAt)
    }

    func report(
        _ kind: DeviceReport.Kind, _ sentAt: String, _ number: UInt8, at: String, action: String? = nil
    ) async throws {
        var report = DeviceReport(kind: kind)
        report.occurredAt = Self.instant(at)
        report.deviceID = Self.deviceID
        report.facts.action = action
        try await write(.device(report), sentAt, number)
    }

    private func write(_ content: Event.Content, _ sentAt: String, _ number: UInt8) async throws {
        let event = Event(
            notificationID: Self.id(sentAt, number), sentAt: Self.instant(sentAt), content: content)
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, logger: Logger(label: "test"))
        _ = try await writer.write([BatchItem(appID: 1, text: [], poster: .server, content: .success(event))])
    }

    /// Another device checks in meanwhile: an app without any recent sign of life is not swept.
    private func sweep(at: String) async throws {
        let now = Self.instant(at)
        try await database.pool.withTransaction { connection in
            _ = try registry.register(
                Registration(deviceID: Self.secondDeviceID, registeredAt: now), appID: 1, now: now,
                on: connection)
        }
        try await database.pool.withConnection { connection in
            let sweep = Sweep(appID: 1, on: connection)
            var rules = try sweep.rules()
            rules.maxShare = 1
            _ = try sweep.apply(rules, now: now)
        }
    }

    /// The writer dates its decisions by its own clock. This moves them to a second after the push, the late
    /// response to after the registration, and the sign of life to its event.
    private func dateLedger() async throws {
        try await database.execute(
            """
            UPDATE landfall.token_transition
               SET at = CASE rule WHEN 'sign_of_life' THEN timestamptz '2025-05-03 08:00:01+00'
                        WHEN 'late_410_ignored' THEN timestamptz '2025-02-03 08:30:00+00'
                        ELSE to_timestamp((evidence ->> 'sent_at')::bigint / 1000) + interval '1 second' END
             WHERE evidence ? 'sent_at' OR rule = 'sign_of_life'
            """)
    }
}
