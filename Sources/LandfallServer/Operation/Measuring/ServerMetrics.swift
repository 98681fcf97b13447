internal import CoreMetrics
internal import DeliveryModel
internal import PrometheusMetrics

/// The metrics of one server. Nothing is global: two servers in one process, as in tests, count separately.
public struct ServerMetrics: Sendable {
    let factory: PrometheusMetricsFactory
    let ingestion: IngestionMetrics
    let rateLimits: RateLimitRejections
    let http: HTTPMetrics
    let database: DatabaseMetrics
    let process: ProcessMetrics
    let connections: Meter
    let openBreakers: Meter

    public init() {
        factory = PrometheusMetricsFactory(MetricCatalog.all)
        ingestion = IngestionMetrics(factory)
        rateLimits = RateLimitRejections(factory)
        http = HTTPMetrics(factory)
        database = DatabaseMetrics(factory)
        process = ProcessMetrics(factory)
        connections = Meter(label: MetricCatalog.connections.name, factory: factory)
        connections.set(0)
        openBreakers = Meter(label: MetricCatalog.openBreakers.name, factory: factory)
        openBreakers.set(0)
        Meter(
            label: MetricCatalog.build.name, dimensions: [("version", LandfallVersion.current)],
            factory: factory
        ).set(1)
    }
}
