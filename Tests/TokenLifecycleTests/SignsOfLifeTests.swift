import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite(.database) struct SignsOfLifeTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let appID = firstApp

    private struct Phone {
        let deviceID: UUID
        let installationID: Int64
        let tokenID: Int64
    }

    /// Registers an installation that was last heard from this many days ago.
    private func phone(_ value: String, silentFor days: Int64) async throws -> Phone {
        let deviceID = UUID()
        try await TestDatabase.current.pool.withTransaction { connection in
            var registration = Registration(deviceID: deviceID, registeredAt: now - .days(days))
            registration.tokens = [
                TokenAddress(
                    provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                    value: value)
            ]
            _ = try DeviceRegistry(vault: TokenVault(.random()))
                .register(registration, appID: appID, now: now - .days(days), on: connection)
        }
        return try await TestDatabase.current.query(
            """
            SELECT installation.installation_id, token.token_id FROM landfall.installation
            JOIN landfall.token ON token.installation_id = installation.installation_id
            WHERE installation.device_id = $1
            """, [.value(deviceID)]
        ) { Phone(deviceID: deviceID, installationID: try $0.get(0), tokenID: try $0.get(1)) }[0]
    }

    /// - Parameter memory: remembers which tokens were touched.
    private func hear(
        _ device: UUID?, _ phone: Phone, held: Bool = true, at instant: Instant? = nil,
        _ memory: SignsOfLife = SignsOfLife()
    ) async throws {
        let sign = SignOfLife(
            appID: appID, at: instant ?? now, deviceID: device, tokenID: phone.tokenID,
            holderID: held ? phone.installationID : nil)
        let written = try await TestDatabase.current.pool.withTransaction { connection in
            try memory.record([sign], now: now, on: connection)
        }
        memory.remember(written)
    }

    /// The days that the installation and its token have been silent, such as `0/9`.
    private func silence(_ phone: Phone) async throws -> String {
        try await TestDatabase.current.query(
            """
            SELECT extract(day FROM $1 - installation.last_sign_of_life_at)::text || '/'
                   || extract(day FROM $1 - token.last_sign_of_life_at)::text
            FROM landfall.token JOIN landfall.installation USING (installation_id) WHERE token_id = $2
            """, [.value(now), .value(phone.tokenID)]
        ) { try $0.get(0, as: String.self) }[0]
    }

    private func makeApp() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
    }

    @Test("a token has the signs of life of the installation that holds it")
    func held() async throws {
        try await makeApp()
        let phone = try await phone("aa", silentFor: 9)
        try await hear(phone.deviceID, phone)
        #expect(try await silence(phone) == "0/9")
    }

    @Test("the token itself is updated if no installation, or another one, gave the sign")
    func astray() async throws {
        try await makeApp()
        let (first, second) = (
            try await phone("aa", silentFor: 9), try await phone("bb", silentFor: 9)
        )
        try await hear(nil, first)
        #expect(try await silence(first) == "9/0")
        try await hear(first.deviceID, second)
        #expect(try await silence(first) == "0/0")
        #expect(try await silence(second) == "9/0")

        let third = try await phone("cc", silentFor: 9)
        try await hear(UUID(), third)
        #expect(try await silence(third) == "9/0")
        let fourth = try await phone("dd", silentFor: 9)
        try await hear(fourth.deviceID, fourth, held: false)
        #expect(try await silence(fourth) == "0/0")
    }

    @Test("a touched token is remembered together with its holder")
    func remembered() async throws {
        try await makeApp()
        let memory = SignsOfLife()
        let (phone, other) = (try await phone("aa", silentFor: 9), try await phone("bb", silentFor: 9))
        try await hear(phone.deviceID, phone, memory)
        try await hear(phone.deviceID, phone, memory)
        #expect(try await silence(phone) == "0/9")
        try await hear(phone.deviceID, other, memory)
        #expect(try await silence(other) == "9/0")
    }

    @Test("a sign is written at most once a day, and never moves back")
    func onceADay() async throws {
        try await makeApp()
        let phone = try await phone("aa", silentFor: 2)
        try await hear(phone.deviceID, phone, at: now - .hours(25))
        #expect(try await silence(phone) == "2/2")
        try await hear(phone.deviceID, phone, at: now - .days(1))
        #expect(try await silence(phone) == "1/2")
        try await hear(phone.deviceID, phone, at: now - .days(5))
        #expect(try await silence(phone) == "1/2")
    }

    @Test("an installation that was silent for a week or longer has all its stale tokens woken")
    func woken() async throws {
        try await makeApp()
        let phone = try await phone("aa", silentFor: 7)
        try await TestDatabase.current.execute(
            "UPDATE landfall.token SET state = 'stale', cause = 'stale'")
        try await hear(phone.deviceID, phone)
        #expect(
            try await TestDatabase.current.count("SELECT count(*) FROM landfall.token WHERE state = 'active'")
                == 1)
    }

    @Test("no app calls a token stale before a week has passed")
    func leastSilence() {
        var rules = SweepRules()
        rules.staleAfterDays = 1
        #expect(rules.staleAfterDays == 7)
        #expect(rules.silentBefore(now) == now - .days(7))
    }
}
