internal import CoreMetrics
internal import DeliveryModel
internal import Ingestion
internal import PrometheusMetrics

/// The metrics of one server. Nothing is global: two servers in one process, as in tests, count separately.
public struct ServerMetrics: Sendable {
    let factory: PrometheusMetricsFactory
    let registrations: RegistrationMetrics
    let rateLimits: RateLimitRejections
    let statementTimeouts = StatementTimeouts()
    let http: HTTPMetrics
    let process: ProcessMetrics
    let connections: ConnectionMetrics
    let browsers: BrowserMetrics
    let feedWaits: Meter

    public init() {
        factory = PrometheusMetricsFactory(MetricCatalog.all)
        registrations = RegistrationMetrics(factory)
        rateLimits = RateLimitRejections(factory)
        http = HTTPMetrics(factory: factory)
        process = ProcessMetrics(factory)
        connections = ConnectionMetrics(factory)
        browsers = BrowserMetrics(factory)
        feedWaits = factory.meter(MetricCatalog.feedWaits)
        feedWaits.set(0)
        factory.meter(MetricCatalog.build, LandfallVersion.current).set(1)
    }

    /// The metrics of a cell; they name it in the label `cell`.
    ///
    /// - Parameter cell: `nil` if there is one, which needs no label.
    func of(_ cell: CellNumber?) -> CellMetrics {
        guard let cell else { return CellMetrics(factory) }
        return CellMetrics(
            PrometheusMetricsFactory(
                factory, adding: ("cell", "\(cell)"), to: Set(MetricCatalog.ofCells.map(\.name))))
    }
}

/// The metrics of one cell.
struct CellMetrics: Sendable {
    let ingestion: IngestionMetrics
    let database: DatabaseMetrics
    let openBreakers: Meter
    /// The items in quarantine, by the kind of key that posted them.
    let quarantinedItems: [EventValidator.Poster: Meter]
    let evictedItems: [EventValidator.Poster: Meter]

    fileprivate init(_ factory: PrometheusMetricsFactory) {
        ingestion = IngestionMetrics(factory)
        database = DatabaseMetrics(factory: factory)
        openBreakers = factory.meter(MetricCatalog.openBreakers)
        openBreakers.set(0)
        quarantinedItems = Self.byPoster(MetricCatalog.quarantinedItems, factory)
        evictedItems = Self.byPoster(MetricCatalog.evictedItems, factory)
    }

    private static func byPoster(
        _ metric: MetricDescription, _ factory: PrometheusMetricsFactory
    ) -> [EventValidator.Poster: Meter] {
        let posters: [EventValidator.Poster] = [.server, .device]
        return posters.reduce(into: [:]) { meters, poster in
            let meter = factory.meter(metric, poster.rawValue)
            meter.set(0)
            meters[poster] = meter
        }
    }
}

/// Instruments of the catalog's metrics, with values for their labels in the catalog's order.
extension MetricsFactory {
    func counter(_ metric: MetricDescription, _ values: String...) -> Counter {
        Counter(label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
    }

    func meter(_ metric: MetricDescription, _ values: String...) -> Meter {
        Meter(label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
    }

    func timer(_ metric: MetricDescription, _ values: String...) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
    }

    /// A counter for each key.
    ///
    /// - Parameter value: the value of the metric's label.
    func counters<Key: Hashable>(
        _ metric: MetricDescription, of keys: some Sequence<Key>, _ value: (Key) -> String
    ) -> [Key: Counter] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, counter(metric, value($0))) })
    }
}
