import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import TokenLifecycle
import Vault

/// A sender with one payload for many devices, devices that report and register, and what was recorded. The
/// messages were sent an hour ago.
struct MessageStory {
    enum Step: CaseIterable {
        case register, response, arrival, click
    }

    let vault = TokenVault(.random())
    let sentAt = Instant(millisecondsSinceEpoch: (Instant.now - .hours(1)).millisecondsSinceEpoch)
    let database = TestDatabase.current

    /// Returns a message id with or without the time of sending.
    func message(isDated: Bool) -> UUID { isDated ? Self.id(createdAt: sentAt) : UUID() }

    static func id(createdAt instant: Instant) -> UUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { buffer in
            for position in 0..<6 {
                let shifted = instant.millisecondsSinceEpoch >> (8 * (5 - Int64(position)))
                buffer[position] = UInt8(truncatingIfNeeded: shifted)
            }
        }
        bytes.6 = bytes.6 & 0x0F | 0x70
        return UUID(uuid: bytes)
    }

    static func token(_ device: UUID) -> String {
        device.uuidString.replacing("-", with: "").lowercased()
    }

    private static func address(_ value: String, _ kind: TokenKind) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: .production, topic: "com.example.shop", kind: kind, value: value)
    }

    func register(
        _ device: UUID, _ values: String..., claims: Bool = true, appVersion: String? = nil
    ) async throws {
        var registration = Registration(deviceID: device, registeredAt: .now)
        if let appVersion { (registration.platform, registration.appVersion) = ("ios", appVersion) }
        let values = values.isEmpty ? [Self.token(device)] : values
        registration.tokens = zip(values, [TokenKind.alert, .voip]).map { Self.address($0, $1) }
        let posted = registration
        let registered = try await database.pool.withTransaction { [vault] connection in
            try DeviceRegistry(vault: vault).register(posted, appID: firstApp, now: .now, on: connection)
        }
        guard claims else { return }
        try await database.pool.withConnection { connection in
            _ = try WaitingMessages().claim(registered.tokens, on: connection)
        }
    }

    func response(_ message: UUID, to value: String, status: Int = 200) -> Event {
        var response = ProviderResponse(provider: "apns", status: status)
        response.topic = "com.example.shop"
        response.campaign = "spring"
        response.target = .token(Self.address(value, .alert))
        return Event(.message(message, deviceID: nil), sentAt: sentAt, content: .response(response))
    }

    /// A device event. It states when the message was sent only if the id does.
    func report(
        _ kind: DeviceReport.Kind, _ message: UUID, by device: UUID, appVersion: String? = nil
    ) -> Event {
        var report = DeviceReport(kind: kind)
        report.appVersion = appVersion
        report.deviceID = device
        report.occurredAt = sentAt + .seconds(9)
        return Event(
            .message(message, deviceID: device), sentAt: message.versionSevenInstant, content: .device(report)
        )
    }

    /// A vendor's receipt of an arrival, which names a token and no device.
    func receipt(_ message: UUID, of value: String) -> Event {
        var report = DeviceReport(kind: .arrival)
        report.evidence = .provider
        report.occurredAt = sentAt + .seconds(9)
        report.token = Self.address(value, .alert)
        return Event(
            .message(message, deviceID: nil), sentAt: message.versionSevenInstant, content: .device(report))
    }

    func writer(shard: Int16 = 0) async throws -> DeliveryWriter {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        return DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, firstShard: shard,
            logger: Logger(label: "test"))
    }

    @discardableResult
    func post(_ events: Event...) async throws -> [Verdict.Outcome] {
        try await writer().write(
            events.map { BatchItem(appID: firstApp, text: [], poster: .server, content: .success($0)) }
        )
        .map(\.outcome)
    }

    func take(_ step: Step, _ message: UUID, _ device: UUID) async throws {
        switch step {
        case .register: try await register(device)
        case .response: try await post(response(message, to: Self.token(device)))
        case .arrival: try await post(report(.arrival, message, by: device))
        case .click: try await post(report(.click, message, by: device))
        }
    }

    /// The headline counters by name, without zeros, including `unmatched`.
    func counts() async throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for name in [
            "attempted", "accepted", "arrived", "confirmed", "clicked", "misdirected", "rejected_token_dead",
        ] {
            counts[name] = try await database.count(
                "SELECT coalesce(sum(\(name)), 0)::bigint FROM public.counted")
        }
        counts["unmatched"] = try await database.count(
            "SELECT coalesce(sum(unmatched), 0)::bigint FROM public.counted")
        return counts.filter { $0.value != 0 }
    }

    /// Verifies the counters and returns the number of rows; `nil` if there is a difference.
    func verifiedNotifications() async throws -> Int64? {
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        return verification.differenceCount == 0 ? verification.notifications : nil
    }
}
