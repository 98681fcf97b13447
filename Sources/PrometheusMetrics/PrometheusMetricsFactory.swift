public import CoreMetrics
internal import Synchronization

/// Keeps what is measured in memory and renders it as Prometheus text.
///
/// It bootstraps nothing: pass it to what measures, or hand it to `MetricsSystem.bootstrap`. Making an instrument takes a lock
/// and is for set-up; using one costs an atomic addition, or a lock of its own.
public final class PrometheusMetricsFactory: MetricsFactory, Sendable {
    private let descriptions: [String: MetricDescription]
    private let seriesLimit: Int
    private let families = Mutex<[String: MetricFamily]>([:])

    /// - Parameters:
    ///   - descriptions: help texts and buckets. A metric without one gets its own name as help text, seconds as the buckets
    ///     of timers and counts as the buckets of recorders.
    ///   - seriesLimit: how many combinations of label values one metric may have; further ones are added up under `other`.
    public init(_ descriptions: [MetricDescription] = [], seriesLimit: Int = 1_000) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        self.seriesLimit = seriesLimit
    }

    /// Everything measured so far in the text exposition format 0.0.4, in the order of the names.
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

    /// The series that has this name and these labels, else the new one. A name that stands for another kind already cannot
    /// be exposed as two: the new instrument is then one that nobody reads.
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
