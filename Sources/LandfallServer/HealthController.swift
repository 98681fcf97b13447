internal import Hummingbird
internal import PostgresClient

/// `GET /healthz`: the process lives. `GET /readyz`: the database can be reached and is migrated.
struct HealthController {
    let pool: PostgresPool

    func addRoutes(to router: Router<LandfallRequestContext>) {
        router.get("healthz") { _, _ in try Response.json(["status": "alive"]) }
        router.get("readyz", use: ready)
    }

    @Sendable
    private func ready(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let pending = try await pool.withConnection { try Migrator().pending($0) }
        guard pending.isEmpty else {
            throw Problem.unavailable(
                "not_migrated", "the database lacks \(pending.count) migrations: run landfall migrate")
        }
        return try Response.json(["status": "ready"])
    }
}
