internal import Access
internal import Foundation
internal import Instants
internal import PostgresClient
internal import TokenLifecycle

/// The app that a private database gets on its first start, to have something to try at once.
///
/// Its keys are kept in the data folder (mode 0600), because the database stores only digests.
struct DemoApp: Codable, Sendable {
    static let slug = "demo"
    static let fileName = "demo-keys.json"

    let app: String
    let serverKey: String
    let deviceKey: String
    let reportKey: String

    /// Creates the app if the database has no apps yet; `nil` if it has others.
    ///
    /// - Returns: the app, and whether this call created it.
    static func prepare(
        _ backend: Backend, dataFolder: URL
    ) async throws -> (app: DemoApp, isNew: Bool)? {
        let file = dataFolder.appendingPathComponent(fileName)
        let stored = try? JSONDecoder().decode(DemoApp.self, from: Data(contentsOf: file))
        if let stored, try await backend.keys.credential(for: stored.serverKey) != nil {
            return (stored, false)
        }
        guard let made = try await create(backend) else { return nil }
        try made.store(in: file)
        return (made, true)
    }

    private static func create(_ backend: Backend) async throws -> DemoApp? {
        try await backend.pool.withTransaction { connection in
            let directory = AppDirectory(connection)
            let now = Instant.now
            guard try directory.apps().isEmpty else { return nil }
            let app = try directory.createApp(slug: slug, at: now)
            return DemoApp(
                app: app.slug,
                serverKey: try directory.createKey(kind: .server, for: app, at: now).text,
                deviceKey: try directory.createKey(kind: .device, for: app, at: now).text,
                reportKey: try directory.createKey(kind: .report, for: app, at: now).text)
        }
    }

    private func store(in file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try SecretFile.replace(file, contents: try encoder.encode(self))
    }
}
