internal import Hummingbird
internal import NIOCore
internal import PostgresClient

/// `GET /healthz`: the process lives. `GET /readyz`: the database can be reached and is migrated.
struct HealthController {
    let pool: PostgresPool

    /// Made once: what this answer costs is what every request costs at least.
    private static let alive = Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"alive"}"#)))

    func addRoutes(to router: Router<LandfallRequestContext>) {
        router.get("healthz") { _, _ in Self.alive }
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
