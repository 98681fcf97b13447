internal import Documents
internal import Hummingbird
internal import NIOCore

/// `GET /healthz`: the process is alive. `GET /readyz`: the database is reachable, migrated and writable.
struct HealthController {
    private let readiness: Readiness

    init(_ backend: Backend) {
        readiness = Readiness(pool: backend.healthPool, health: backend.writeHealth)
    }

    /// Created once: this response shows the least that any request costs.
    private static let alive = Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"alive"}"#)))

    func addRoutes(to router: RouterGroup<LandfallRequestContext>) {
        router.get("healthz") { _, _ in Self.alive }
        router.get("readyz", use: ready)
    }

    @Sendable
    private func ready(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        if let problem = await readiness.problem() { throw problem }
        return .json(["status": "ready"])
    }
}
