public import CoreMetrics
internal import Synchronization

/// Keeps measurements in memory and renders them as Prometheus text.
///
/// It bootstraps nothing: pass it to the code that measures, or to `MetricsSystem.bootstrap`. Creating an
/// instrument takes a lock and is for setup; using one costs an atomic addition, or a lock of its own.
public final class PrometheusMetricsFactory: MetricsFactory, Sendable {
    private let descriptions: [String: MetricDescription]
    private let seriesLimit: Int
    private let families = Mutex<[String: MetricFamily]>([:])

    /// - Parameters:
    ///   - descriptions: help texts and buckets. A metric without a description gets its own name
    ///     as help text; a timer gets the buckets for seconds, a recorder those for counts.
    ///   - seriesLimit: the maximum number of combinations of label values of one metric; further
    ///     ones are added up under `other`.
    public init(_ descriptions: [MetricDescription] = [], seriesLimit: Int = 1_000) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        self.seriesLimit = seriesLimit
    }

    /// Everything measured so far in the text exposition format 0.0.4, sorted by name.
    public func render() -> String {
        let families = families.withLock { $0.values.sorted { $0.name < $1.name } }
        return TextExposition.text(of: families)
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let made = CountingInstrument()
        if case .counter(let known) = register(.counter, label, dimensions, .counter(made)) { return known }
        return made
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        let made = FractionCountingInstrument()
        let known = register(.counter, label, dimensions, .fractionCounter(made))
        if case .fractionCounter(let known) = known { return known }
        return made
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? histogram(label, dimensions, HistogramBuckets.counts) : gauge(label, dimensions)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, HistogramBuckets.seconds)
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeInstrument {
        let made = GaugeInstrument()
        if case .gauge(let known) = register(.gauge, label, dimensions, .gauge(made)) { return known }
        return made
    }

    private func histogram(
        _ label: String, _ dimensions: [(String, String)], _ usual: [Double]
    ) -> HistogramInstrument {
        let described = descriptions[label]?.buckets ?? []
        let made = HistogramInstrument(bounds: described.isEmpty ? usual : described)
        if case .histogram(let known) = register(.histogram, label, dimensions, .histogram(made)) {
            return known
        }
        return made
    }

    /// The series that has this name and these labels, or else the new one. A name that is already
    /// used by another kind cannot be exposed as both: the new instrument is then never rendered.
    private func register(
        _ kind: MetricDescription.Kind, _ label: String, _ dimensions: [(String, String)],
        _ made: MetricFamily.Instrument
    ) -> MetricFamily.Instrument {
        let name = sanitizedName(label, allowsColon: true)
        let labels = Labels(dimensions)
        let help = descriptions[label]?.help ?? label
        return families.withLock { families in
            var family = families[name] ?? MetricFamily(name: name, kind: kind, help: help)
            guard family.kind == kind else { return made }
            let known = family.instrument(labels, limit: seriesLimit) { made }
            families[name] = family
            return known
        }
    }

    private func remove(_ instrument: AnyObject) {
        families.withLock { families in
            for name in families.keys { families[name]?.remove(instrument) }
        }
    }
}
