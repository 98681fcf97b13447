internal import Basics
internal import Hummingbird
internal import NIOCore
internal import PrometheusMetrics
internal import Synchronization

/// `GET /metrics`, without a key: only numbers, none by app. Restrict access to it in the network.
///
/// Rendering takes milliseconds, and no key means no rate limit, so the text is cached for `lifetime`.
final class MetricsController: Sendable {
    private let backend: Backend
    private let lifetime: Duration
    private let latest = Mutex<(text: ByteBuffer, renderedAt: ContinuousClock.Instant)?>(nil)

    init(backend: Backend, lifetime: Duration) {
        self.backend = backend
        self.lifetime = lifetime
    }

    func addRoutes(to router: RouterGroup<LandfallRequestContext>) {
        router.get("metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: TextExposition.contentType],
                body: ResponseBody(byteBuffer: self.text(at: .now)))
        }
    }

    /// A request that arrives while the text is being rendered waits for it instead of rendering it again.
    private func text(at now: ContinuousClock.Instant) -> ByteBuffer {
        latest.withLock { latest in
            if let latest, latest.renderedAt.duration(to: now) < lifetime { return latest.text }
            let text = ByteBuffer(string: render())
            latest = (text, now)
            return text
        }
    }

    private func render() -> String {
        backend.metrics.process.observe()
        for cell in backend.cells.open {
            let metrics = cell.metrics.database
            metrics.observe(cell.pool, named: "administration")
            metrics.observe(cell.keyPool, named: "keys")
            metrics.observe(cell.healthPool, named: "health")
            metrics.observe(cell.ingestionPool, named: "ingestion")
            metrics.observe(cell.reportPool, named: "reports")
        }
        return backend.metrics.factory.render()
    }
}
