import Access
import ChildPrograms
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Trust
import Vault

/// A server program on the test's database, with one app.
struct DeviceKeyGround {
    let app: App
    let client: DeviceKeyClient
    /// What the sender signs with; empty if the app does not require receipts.
    let receiptKeys: [String]
    private let folder: URL

    private static let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    struct NotCompared: Error {
        let output: String
    }

    static func use(
        requiresReceipts: Bool = false, _ body: (DeviceKeyGround) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        let folder = try ThrowawayFolder.create(for: "device-keys")
        try await ending({ try folder.remove() }) {
            let vault = TokenVault(try TokenKey.load(dataFolder: folder.url, environment: [:]))
            let (app, serverKey, deviceKey, receiptKeys) = try await database.pool.withConnection {
                connection -> (App, String, String, [String]) in
                let directory = AppDirectory(connection)
                let app = try database.createApp("shop", on: connection)
                var receiptKeys: [String] = []
                if requiresReceipts {
                    try directory.set(.named("receipts"), to: "required", of: app)
                    for _ in 0..<2 {
                        receiptKeys.append(
                            try directory.createSigningKey(kind: .receipt, for: app, vault: vault, at: .now))
                    }
                }
                return (
                    app, try directory.createKey(kind: .server, for: app, at: .now).text,
                    try directory.createKey(kind: .device, for: app, at: .now).text, receiptKeys
                )
            }
            // The databases of tests have fsync off.
            let server = try await ServerProgram.start(
                programs.appendingPathComponent("landfall-server"), dataFolder: folder.url,
                variables: database.variables.merging(["LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]) { $1 })
            try await ending({ server.stop() }) {
                let client = DeviceKeyClient(
                    server: server.address, serverKey: serverKey, deviceKey: deviceKey)
                try await body(
                    DeviceKeyGround(app: app, client: client, receiptKeys: receiptKeys, folder: folder.url))
            }
        }
    }

    /// By how much `landfall simulate --check` finds the reports to differ from the truth, such as
    /// `tokens tokens active` by 9.
    func differences(from day: DeviceDay) async throws -> [String: Int64] {
        let check = try ChildProgram.start(
            Self.programs.appendingPathComponent("landfall"),
            [
                "simulate", "--no-post", "--check", "--scenario", "healthy", "--installations",
                "\(DeviceDay.phones)", "--end", day.end.rfc3339, "--app", app.slug,
            ],
            environment: ServerProgram.environment(dataFolder: folder)
                .merging(TestDatabase.current.variables) { $1 },
            log: folder.appendingPathComponent("check.log"))
        try await check.waitUntilEnded()
        let parts = check.output.components(separatedBy: "Reports compared with what really happened")
        guard parts.count == 2 else { throw NotCompared(output: check.output) }
        var differences: [String: Int64] = [:]
        for line in parts[1].split(separator: "\n") {
            // Group, place, measure, and three numbers, of which the last one has a sign.
            let fields = line.split(separator: " ")
            guard fields.count >= 6, let offBy = fields.last, offBy.hasPrefix("+") || offBy.hasPrefix("-")
            else { continue }
            let name = fields.dropLast(3).joined(separator: " ")
            differences[name] = Int64(offBy.replacing(",", with: ""))
        }
        return differences
    }
}
