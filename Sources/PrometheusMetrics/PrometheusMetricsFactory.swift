public import CoreMetrics
internal import Synchronization

/// Keeps measurements in memory and renders them as Prometheus text.
///
/// It bootstraps nothing: pass it to the code that measures, or to `MetricsSystem.bootstrap`. Creating an
/// instrument takes a lock and is for setup; using one costs an atomic addition, or a lock of its own.
public final class PrometheusMetricsFactory: MetricsFactory, Sendable {
    private let descriptions: [String: MetricDescription]
    private let seriesLimit: Int
    private let families: MetricFamilies
    /// A label that every series of some metrics has.
    private let further: (label: (String, String), names: Set<String>)?

    /// - Parameters:
    ///   - descriptions: help texts and buckets. A metric without a description gets its own name
    ///     as help text; a timer gets the buckets for seconds, a recorder those for counts.
    ///   - seriesLimit: the maximum number of combinations of label values of one metric; further
    ///     ones are added up under `other`.
    public init(_ descriptions: [MetricDescription] = [], seriesLimit: Int = 1_000) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        self.seriesLimit = seriesLimit
        families = MetricFamilies()
        further = nil
    }

    /// A factory whose instruments `other` renders, too. Those of the metrics with these names have a further
    /// label.
    public init(_ other: PrometheusMetricsFactory, adding label: (String, String), to names: Set<String>) {
        (descriptions, seriesLimit, families) = (other.descriptions, other.seriesLimit, other.families)
        further = (label, names)
    }

    /// Everything measured so far in the text exposition format 0.0.4, sorted by name.
    public func render() -> String {
        let families = families.byName.withLock { $0.values.sorted { $0.name < $1.name } }
        return TextExposition.text(of: families)
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        register(.counter, label, dimensions, CountingInstrument())
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        register(.counter, label, dimensions, FractionCountingInstrument())
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        register(.gauge, label, dimensions, GaugeInstrument())
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? register(.histogram, label, dimensions, histogram(label, HistogramBuckets.counts))
            : register(.gauge, label, dimensions, GaugeInstrument())
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        register(.histogram, label, dimensions, histogram(label, HistogramBuckets.seconds))
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func histogram(_ label: String, _ usual: [Double]) -> HistogramInstrument {
        let described = descriptions[label]?.buckets ?? []
        return HistogramInstrument(bounds: described.isEmpty ? usual : described)
    }

    /// The series that has this name and these labels, or else the new one. A name that is already
    /// used by another kind cannot be exposed as both: the new instrument is then never rendered.
    private func register<Instrument: ExposedInstrument>(
        _ kind: MetricDescription.Kind, _ label: String, _ dimensions: [(String, String)],
        _ made: Instrument
    ) -> Instrument {
        let name = sanitizedName(label, allowsColon: true)
        var dimensions = dimensions
        if let further, further.names.contains(label) { dimensions.append(further.label) }
        let labels = Labels(dimensions)
        let help = descriptions[label]?.help ?? label
        return families.byName.withLock { families in
            var family = families[name] ?? MetricFamily(name: name, kind: kind, help: help)
            guard family.kind == kind else { return made }
            let known = family.instrument(labels, limit: seriesLimit, or: made)
            families[name] = family
            return known as? Instrument ?? made
        }
    }

    private func remove(_ instrument: AnyObject) {
        families.byName.withLock { families in
            for name in families.keys { families[name]?.remove(instrument) }
        }
    }
}

private final class MetricFamilies: Sendable {
    let byName = Mutex<[String: MetricFamily]>([:])
}

/// All series of one name: they share kind, help text and buckets, and differ in the values of their labels.
struct MetricFamily {
    let name: String
    let kind: MetricDescription.Kind
    let help: String
    private(set) var series: [Labels: any ExposedInstrument] = [:]

    /// The series with these labels; the new one if there is none.
    ///
    /// Once there are `limit` series, all further ones share one whose label values are `other`:
    /// label values from outside must not fill the memory.
    mutating func instrument(
        _ labels: Labels, limit: Int, or made: any ExposedInstrument
    ) -> any ExposedInstrument {
        if let known = series[labels] { return known }
        let labels = series.count < limit ? labels : labels.replacingValues(by: "other")
        if let known = series[labels] { return known }
        series[labels] = made
        return made
    }

    mutating func remove(_ instrument: AnyObject) {
        series = series.filter { $0.value !== instrument }
    }
}
