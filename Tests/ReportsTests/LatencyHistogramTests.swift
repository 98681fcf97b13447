import Basics
import Foundation
import Testing

@testable import Reports

@Suite("A histogram of latencies")
struct LatencyHistogramTests {
    /// The buckets as the migration creates them.
    static let buckets: [LatencyBucket] = {
        var froms: [Int64] = [0, 1]
        while froms[froms.count - 1] < Span.days(31).milliseconds {
            froms.append(froms[froms.count - 1] * 11 / 10 + 1)
        }
        return froms.indices.map { position in
            LatencyBucket(
                number: Int16(position), from: froms[position],
                to: position + 1 < froms.count ? froms[position + 1] : nil)
        }
    }()

    static func histogram(_ values: [Int64]) -> LatencyHistogram {
        var counts: [Int: Int64] = [:]
        for value in values {
            counts[buckets.lastIndex { $0.from <= max(value, 0) } ?? 0, default: 0] += 1
        }
        return LatencyHistogram(counts.map { .init(buckets[$0.key], $0.value) })
    }

    @Test("has no quantiles without notifications")
    func empty() {
        #expect(LatencyHistogram().quantile(0.5) == nil)
        #expect(LatencyHistogram([.init(Self.buckets[5], 0)]).entries.isEmpty)
    }

    @Test("with one notification has it in every quantile")
    func one() {
        let histogram = Self.histogram([1_000])
        for share in [0.0, 0.01, 0.5, 0.99, 1] {
            let told = histogram.quantile(share)?.milliseconds ?? 0
            #expect(abs(told - 1_000) <= 49)
        }
    }

    @Test("returns 0 for a latency of 0 or less, and the bucket's lower bound for a month and more")
    func ends() {
        #expect(Self.histogram([-5, 0, 0]).quantile(0.5) == Span(milliseconds: 0))
        let last = Self.histogram([Span.days(400).milliseconds]).quantile(0.5)
        #expect(last.map { $0 >= .days(31) && $0 < .days(35) } == true)
    }

    @Test("returns quantiles of any data at most 5 % off", arguments: 1...20)
    func quantiles(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Int(random.next() % 3_000) + 1
        // From milliseconds to weeks, each magnitude equally often; some seeds only within one magnitude.
        let magnitudes = seed.isMultiple(of: 3) ? 1.0 : 9.0
        let values = (0..<count).map { _ -> Int64 in
            let exponent =
                Double(random.next() % 1_000_000) / 1_000_000 * magnitudes + (magnitudes == 1 ? 3 : 0)
            return Int64(pow(10, exponent))
        }.sorted()
        let histogram = Self.histogram(values)
        for share in [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1] {
            let exact = Double(values[max(0, Int((share * Double(count)).rounded(.up)) - 1)])
            let told = Double(histogram.quantile(share)?.milliseconds ?? -1)
            #expect(abs(told - exact) <= 0.05 * exact + 0.5, "\(share) of \(count)")
        }
    }
}
