import ArgumentParser
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@testable import Dashboards

@Suite("landfall erase") struct EraseCommandTests {
    @Test(
        "requires exactly one valid subject",
        arguments: [
            [], ["--device", "12"], ["--account", ""],
            ["--device", "0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11", "--account", "anna"],
        ])
    func mistakes(arguments: [String]) {
        #expect(throws: (any Error).self) { try Landfall.parseAsRoot(["erase"] + arguments) }
    }

    @Test("accepts one device or one account")
    func wellNamed() {
        for arguments in [
            ["--device", "0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11"], ["--account", "anna", "--apply"],
        ] {
            #expect(throws: Never.self) { try Landfall.parseAsRoot(["erase"] + arguments) }
        }
    }
}

/// Three devices: Anna's, one that was Anna's before it was Bert's, and Bert's. Another app has another Anna.
@Suite("landfall erase --account", .database) struct AccountErasureTests {
    private let database = TestDatabase.current
    private let vault = TokenVault(.random())
    private let annas = UUID()
    private let handedOn = UUID()
    private let berts = UUID()
    private let elsewhere = UUID()

    private func register(
        _ device: UUID, app: Int64 = firstApp, account: String, at time: String
    ) async throws {
        let now = try #require(Instant(rfc3339: time))
        var registration = Registration(deviceID: device, registeredAt: now)
        registration.account = account
        registration.tags = ["vip"]
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: String(repeating: device.uuidString.replacing("-", with: "").lowercased(), count: 2))
        ]
        let posted = registration
        try await database.pool.withTransaction { [vault] connection in
            _ = try DeviceRegistry(vault: vault).register(posted, appID: app, now: now, on: connection)
        }
    }

    private func prepare() async throws {
        try await database.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now()), ('garden', now())")
        try database.enterApps()
        try await register(annas, account: "anna", at: "2026-01-01T10:00:00Z")
        try await register(handedOn, account: "anna", at: "2026-01-01T10:00:00Z")
        try await register(handedOn, account: "bert", at: "2026-02-01T10:00:00Z")
        try await register(berts, account: "bert", at: "2026-01-01T10:00:00Z")
        try await register(elsewhere, app: secondApp, account: "anna", at: "2026-01-01T10:00:00Z")
    }

    private func erase(_ options: [String] = []) async throws {
        let asked = try database.options + ["--app", "shop", "--account", "anna"]
        try await EraseCommand.parse(asked + options).run()
    }

    /// Returns `account/device` for each period in which an account was signed in.
    private func periods() async throws -> Set<String> {
        let rows = try await database.query(
            """
            SELECT account || '/' || device_id
              FROM landfall.account_binding
              JOIN landfall.installation USING (app_id, installation_id)
            """
        ) { try $0.get(0, as: String.self) }
        return Set(rows)
    }

    /// Returns the devices whose tokens can still receive pushes.
    private func reachable() async throws -> Set<UUID> {
        let rows = try await database.query(
            """
            SELECT device_id
              FROM landfall.token
              JOIN landfall.installation USING (app_id, installation_id)
             WHERE state = 'active' AND sealed_value IS NOT NULL
            """
        ) { try $0.get(0, as: UUID.self) }
        return Set(rows)
    }

    private func period(_ account: String, _ device: UUID) -> String {
        "\(account)/\(device.uuidString.lowercased())"
    }

    @Test("a plan changes nothing")
    func plan() async throws {
        try await prepare()
        let before = try await periods()
        #expect(before.count == 5)
        try await erase()
        #expect(try await periods() == before)
        #expect(try await reachable() == [annas, handedOn, berts, elsewhere])
        #expect(try await database.count("SELECT count(*) FROM landfall.erasure_receipt") == 0)
    }

    @Test(
        "with --apply, erases the account's own installation, removes it from one that changed hands, and touches no other; a second run changes nothing"
    )
    func apply() async throws {
        try await prepare()
        for _ in 1...2 {
            try await erase(["--apply"])
            #expect(
                try await periods() == [
                    period("bert", handedOn), period("bert", berts), period("anna", elsewhere),
                ])
            #expect(try await reachable() == [handedOn, berts, elsewhere])
            let erased = try await database.query(
                "SELECT device_id FROM landfall.installation WHERE erased_at IS NOT NULL"
            ) { try $0.get(0, as: UUID.self) }
            #expect(erased == [annas])
            #expect(try await database.count("SELECT count(*) FROM landfall.erasure_receipt") == 1)
            let tagged = "SELECT count(*) FROM landfall.installation WHERE tags = '{vip}'"
            #expect(try await database.count(tagged) == 3)
        }
    }

    @Test("the plan counts what the erasure then erases, also tokens that were merged into the device's")
    func merged() async throws {
        try await prepare()
        let second = UUID()
        try await register(second, account: "anna", at: "2026-01-02T10:00:00Z")
        // A response named Anna's value under another topic, when it was still the second device's.
        try await database.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, state,
                                        cause, installation_id, first_seen_at, last_sign_of_life_at, state_changed_at)
            SELECT token.app_id, provider, environment, 'com.example.other', fingerprint, kind, sealed_value, 'retired',
                   'merged', second.installation_id, first_seen_at, token.last_sign_of_life_at, state_changed_at
              FROM landfall.token
              JOIN landfall.installation AS own ON own.installation_id = token.installation_id
              JOIN landfall.installation AS second ON second.device_id = '\(second)'
             WHERE own.device_id = '\(annas)'
            """)
        let erasure = Erasure(appID: firstApp)
        let device = try await database.pool.withConnection { [annas] connection in
            try erasure.plan(.device(annas), on: connection)
        }
        #expect(device.counts.tokens == 2)
        #expect(device.counts.tokenValues == 2)
        let account = ErasureSubject.account("anna")
        let (plan, result) = try await database.pool.withConnection { connection in
            let plan = try erasure.plan(account, on: connection)
            return (plan, try erasure.carryOut(plan, for: account, now: .now, on: connection))
        }
        #expect(plan.devices.count == 2)
        #expect(plan.counts.tokenValues == 3)
        #expect(plan.counts == result.counts)
    }
}
