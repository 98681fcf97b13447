internal import Hummingbird
internal import NIOCore

/// `GET /healthz`: the process lives. `GET /readyz`: the database can be reached, is migrated, and can be written to.
struct HealthController {
    let readiness: Readiness

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
        if let problem = await readiness.problem() { throw problem }
        return try Response.json(["status": "ready"])
    }
}
