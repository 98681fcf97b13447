internal import CoreMetrics
internal import Synchronization

/// A whole number that only rises.
final class CountingInstrument: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    /// A counter never falls: negative amounts are ignored.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// A fractional number that only rises.
final class FractionCountingInstrument: FloatingPointCounterHandler {
    private let sum = Mutex(0.0)

    var value: Double { sum.withLock { $0 } }

    /// A counter never falls: negative amounts are ignored.
    func increment(by amount: Double) {
        guard amount > 0 else { return }
        sum.withLock { $0 += amount }
    }

    func reset() { sum.withLock { $0 = 0 } }
}

/// A number that rises and falls: a meter, or a recorder that does not aggregate and so keeps the last value.
final class GaugeInstrument: MeterHandler, RecorderHandler {
    private let level = Mutex(0.0)

    var value: Double { level.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { level.withLock { $0 = value } }
    func increment(by amount: Double) { level.withLock { $0 += amount } }
    func decrement(by amount: Double) { level.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// The number of values in each bucket: a recorder that aggregates, or a timer, in seconds.
final class HistogramInstrument: RecorderHandler, TimerHandler {
    struct Reading {
        /// Per bucket, not cumulative; the last one is the infinite one.
        var counts: [UInt64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let state: Mutex<Reading>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Reading(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var reading: Reading { state.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        // A sum that is not a number would stay so permanently.
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[bucket] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
