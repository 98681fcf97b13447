internal import Hummingbird
internal import NIOCore
internal import PrometheusMetrics

/// `GET /metrics`, without a key: numbers only, none of an app's own. Who may ask is a matter of the network.
struct MetricsController {
    let backend: Backend

    func addRoutes(to router: Router<LandfallRequestContext>) {
        router.get("metrics", use: metrics)
    }

    @Sendable
    private func metrics(_ request: Request, context: LandfallRequestContext) -> Response {
        let metrics = backend.metrics
        metrics.process.observe()
        metrics.database.observe(backend.pool, named: "administration")
        metrics.database.observe(backend.ingestionPool, named: "ingestion")
        metrics.database.observe(backend.reportPool, named: "reports")
        return Response(
            status: .ok, headers: [.contentType: TextExposition.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.factory.render())))
    }
}
