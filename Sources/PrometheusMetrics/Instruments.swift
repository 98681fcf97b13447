internal import CoreMetrics
internal import Synchronization

/// An instrument, which writes its own lines of the exposition.
protocol ExposedInstrument: AnyObject, Sendable {
    func lines(_ name: String, _ labels: Labels) -> String
}

/// A whole number that only rises.
final class CountingInstrument: CounterHandler, ExposedInstrument {
    private let count = Atomic<Int64>(0)

    /// A counter never falls: negative amounts are ignored.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }

    func lines(_ name: String, _ labels: Labels) -> String {
        "\(name)\(labels.text()) \(count.load(ordering: .relaxed))\n"
    }
}

/// A fractional number that only rises.
final class FractionCountingInstrument: FloatingPointCounterHandler, ExposedInstrument {
    private let sum = Mutex(0.0)

    /// A counter never falls: negative amounts are ignored.
    func increment(by amount: Double) {
        guard amount > 0 else { return }
        sum.withLock { $0 += amount }
    }

    func reset() { sum.withLock { $0 = 0 } }

    func lines(_ name: String, _ labels: Labels) -> String {
        "\(name)\(labels.text()) \(TextExposition.number(sum.withLock { $0 }))\n"
    }
}

/// A number that rises and falls: a meter, or a recorder that does not aggregate and so keeps the last value.
final class GaugeInstrument: MeterHandler, RecorderHandler, ExposedInstrument {
    private let level = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { level.withLock { $0 = value } }
    func increment(by amount: Double) { level.withLock { $0 += amount } }
    func decrement(by amount: Double) { level.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    func lines(_ name: String, _ labels: Labels) -> String {
        "\(name)\(labels.text()) \(TextExposition.number(level.withLock { $0 }))\n"
    }
}

/// The number of values in each bucket: a recorder that aggregates, or a timer, in seconds.
final class HistogramInstrument: RecorderHandler, TimerHandler, ExposedInstrument {
    private struct Reading {
        /// Per bucket, not cumulative; the last one is the infinite one.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<Reading>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Reading(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

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

    /// Buckets are cumulative; the infinite one is the count.
    func lines(_ name: String, _ labels: Labels) -> String {
        let reading = state.withLock { $0 }
        var text = ""
        var count: UInt64 = 0
        for (bound, added) in zip(bounds.map(TextExposition.number) + ["+Inf"], reading.counts) {
            count += added
            text += "\(name)_bucket\(labels.text(and: ("le", bound))) \(count)\n"
        }
        return text + "\(name)_sum\(labels.text()) \(TextExposition.number(reading.sum))\n"
            + "\(name)_count\(labels.text()) \(count)\n"
    }
}
