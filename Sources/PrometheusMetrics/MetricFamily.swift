internal import CoreMetrics

/// All series of one name: they share kind, help text and buckets, and differ in the values of their labels.
struct MetricFamily {
    enum Instrument: Sendable {
        case counter(CountingInstrument)
        case fractionCounter(FractionCountingInstrument)
        case gauge(GaugeInstrument)
        case histogram(HistogramInstrument)

        var object: AnyObject {
            switch self {
            case .counter(let instrument): instrument
            case .fractionCounter(let instrument): instrument
            case .gauge(let instrument): instrument
            case .histogram(let instrument): instrument
            }
        }
    }

    let name: String
    let kind: MetricDescription.Kind
    let help: String
    private(set) var series: [Labels: Instrument] = [:]

    /// The series with these labels; created if it is new.
    ///
    /// Once there are `limit` series, all further ones share one whose label values are `other`:
    /// label values from outside must not fill the memory.
    mutating func instrument(_ labels: Labels, limit: Int, make: () -> Instrument) -> Instrument {
        if let known = series[labels] { return known }
        let labels = series.count < limit ? labels : labels.replacingValues(by: "other")
        if let known = series[labels] { return known }
        let made = make()
        series[labels] = made
        return made
    }

    mutating func remove(_ instrument: AnyObject) {
        series = series.filter { $0.value.object !== instrument }
    }
}
