internal import ChildPrograms
internal import EmbeddedPostgres
internal import Foundation
internal import Logging
internal import PostgresClient

/// A private, migrated database in a folder that is removed with it.
struct SoakGround: Sendable {
    let url: String
    let pool: PostgresPool
    let folder: URL

    static func use<Value>(_ body: (SoakGround) async throws -> Value) async throws -> Value {
        let folder = try ThrowawayFolder.create(for: "soak")
        let database = try folder.startDatabase(isDurable: false)
        let result: Result<Value, any Error>
        do {
            result = .success(try await use(url: database.connectionURL, folder: folder.url, body))
        } catch {
            result = .failure(error)
        }
        try folder.end(database)
        try folder.remove()
        return try result.get()
    }

    private static func use<Value>(
        url: String, folder: URL, _ body: (SoakGround) async throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(.init(url: url, size: 4), logger: Logger(label: "landfall-soak"))
        let result: Result<Value, any Error>
        do {
            _ = try await pool.withConnection { try Migrator().migrate($0) }
            result = .success(try await body(SoakGround(url: url, pool: pool, folder: folder)))
        } catch {
            result = .failure(error)
        }
        try await pool.close()
        return try result.get()
    }
}
