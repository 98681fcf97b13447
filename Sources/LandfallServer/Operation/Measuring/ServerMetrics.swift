internal import CoreMetrics
internal import DeliveryModel
internal import Ingestion
internal import PrometheusMetrics

/// The metrics of one server. Nothing is global: two servers in one process, as in tests, count separately.
public struct ServerMetrics: Sendable {
    let factory: PrometheusMetricsFactory
    let ingestion: IngestionMetrics
    let registrations: RegistrationMetrics
    let rateLimits: RateLimitRejections
    let slowStatements = SlowStatements()
    let http: HTTPMetrics
    let database: DatabaseMetrics
    let process: ProcessMetrics
    let connections: ConnectionMetrics
    let browsers: BrowserMetrics
    let openBreakers: Meter
    /// The items in quarantine, by the kind of key that posted them.
    let quarantinedItems: [EventValidator.Poster: Meter]
    let evictedItems: [EventValidator.Poster: Meter]

    public init() {
        factory = PrometheusMetricsFactory(MetricCatalog.all)
        ingestion = IngestionMetrics(factory)
        registrations = RegistrationMetrics(factory)
        rateLimits = RateLimitRejections(factory)
        http = HTTPMetrics(factory)
        database = DatabaseMetrics(factory)
        process = ProcessMetrics(factory)
        connections = ConnectionMetrics(factory)
        browsers = BrowserMetrics(factory)
        openBreakers = Meter(label: MetricCatalog.openBreakers.name, factory: factory)
        openBreakers.set(0)
        quarantinedItems = Self.byPoster(MetricCatalog.quarantinedItems, factory)
        evictedItems = Self.byPoster(MetricCatalog.evictedItems, factory)
        Meter(
            label: MetricCatalog.build.name, dimensions: [("version", LandfallVersion.current)],
            factory: factory
        ).set(1)
    }

    private static func byPoster(
        _ metric: MetricDescription, _ factory: PrometheusMetricsFactory
    ) -> [EventValidator.Poster: Meter] {
        let posters: [EventValidator.Poster] = [.server, .device]
        return posters.reduce(into: [:]) { meters, poster in
            let meter = Meter(
                label: metric.name, dimensions: [("key", poster.rawValue)], factory: factory)
            meter.set(0)
            meters[poster] = meter
        }
    }
}
