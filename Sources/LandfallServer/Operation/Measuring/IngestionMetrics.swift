internal import CoreMetrics
internal import DeliveryModel
internal import Ingestion
internal import Presets
internal import PrometheusMetrics

/// The metrics of events. Counting an item is one atomic addition per counter.
struct IngestionMetrics: Sendable {
    /// One counter for each type and verdict.
    private let events: [Counter]
    private let rejections: [ItemRejection.Code: Counter]
    private let skipped: [String: Counter]
    private let received: Counter
    private let overloaded: Counter
    private let batchEvents: Recorder
    private let batchSeconds: CoreMetrics.Timer
    private let queuedEvents: Meter
    private let queuedBytes: Meter

    private static let verdicts = ["accepted", "duplicate", "rejected"]

    init(_ factory: any MetricsFactory) {
        events = EventType.allCases.flatMap { type in
            Self.verdicts.map { factory.counter(MetricCatalog.events, type.name, $0) }
        }
        rejections = factory.counters(
            MetricCatalog.rejectedEvents, of: ItemRejection.Code.allCases, \.rawValue)
        skipped = factory.counters(MetricCatalog.skippedRecords, of: Preset.all.map(\.name), \.self)
        received = factory.counter(MetricCatalog.receivedEvents)
        overloaded = factory.counter(MetricCatalog.overloaded)
        batchEvents = Recorder(label: MetricCatalog.batchEvents.name, aggregate: true, factory: factory)
        batchSeconds = factory.timer(MetricCatalog.batchWriteSeconds)
        queuedEvents = factory.meter(MetricCatalog.queuedEvents)
        queuedBytes = factory.meter(MetricCatalog.queuedBytes)
    }

    /// Counts one request's items: as queued until `record` completes, then by verdict.
    func counting(
        _ items: [BatchItem], _ record: ([BatchItem], @escaping EventBatcher.Completion) -> Void,
        then completion: @escaping EventBatcher.Completion
    ) {
        let bytes = items.reduce(0) { $0 + $1.text.count }
        queue(items: items.count, bytes: bytes)
        record(items) { result in
            queue(items: -items.count, bytes: -bytes)
            switch result {
            case .success(let verdicts): count(items, verdicts)
            case .failure(EventBatcherError.overloaded): rejectedForOverload()
            case .failure: break
            }
            completion(result)
        }
    }

    /// Counts a request that got 503 because too much was queued.
    func rejectedForOverload() { overloaded.increment() }

    func skipped(_ records: Int, of preset: Preset) { skipped[preset.name]?.increment(by: records) }

    /// Adds to what is queued; negative numbers subtract.
    func queue(items: Int, bytes: Int) {
        queuedEvents.increment(by: Double(items))
        queuedBytes.increment(by: Double(bytes))
    }

    func count(_ items: [BatchItem], _ verdicts: [Verdict]) {
        received.increment(by: verdicts.count { $0.outcome != .overQuota })
        // By index: an iterator would copy each item, with all the strings of its event.
        for index in 0..<min(items.count, verdicts.count) {
            let verdict: Int
            switch verdicts[index].outcome {
            case .accepted: verdict = 0
            case .duplicate: verdict = 1
            case .overQuota: continue
            case .rejected(let rejection):
                verdict = 2
                rejections[rejection.code]?.increment()
            }
            events[items[index].eventType.rawValue * Self.verdicts.count + verdict].increment()
        }
    }

    func wrote(batchOf count: Int, in duration: Duration) {
        batchEvents.record(count)
        batchSeconds.recordNanoseconds(duration.nanoseconds)
    }
}

/// The label `type`. An item that was rejected before its type was known is `unknown`.
private enum EventType: Int, CaseIterable {
    case response, arrival, presentation, click, dismissal, recall, unknown

    var name: String { "\(self)" }
}

extension BatchItem {
    fileprivate var eventType: EventType {
        switch content {
        case .failure: .unknown
        case .success(let event):
            switch event.content {
            case .response: .response
            case .recall: .recall
            case .device(let report):
                switch report.kind {
                case .arrival: .arrival
                case .presentation: .presentation
                case .click: .click
                case .dismissal: .dismissal
                }
            }
        }
    }
}

extension Duration {
    /// Whole nanoseconds, as swift-metrics expects.
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
