import DeliveryModel
import Foundation
import Testing

@testable import Reports

@Suite("Estimates of distinct installations")
struct HyperLogLogTests {
    /// The estimate of `hll` for `count` installations whose hashes are random numbers from this seed.
    private func estimate(of count: Int, seed: UInt64) -> Int64 {
        var state = seed
        var registers = [UInt8](repeating: 0, count: 1 << 14)
        for _ in 0..<count {
            state &+= 0x9E37_79B9_7F4A_7C15
            var hash = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
            hash ^= hash >> 31
            let register = Int(hash & 0x3FFF)
            registers[register] = max(registers[register], UInt8((hash >> 14).trailingZeroBitCount + 1))
        }
        let total = Double(registers.count)
        let sum = registers.reduce(0) { $0 + 1 / Double(1 << Int($1)) }
        let raw = 0.7213 / (1 + 1.079 / total) * total * total / sum
        let empty = registers.count { $0 == 0 }
        let counted = empty > 0 && raw < 2.5 * total ? total * log(total / Double(empty)) : raw
        return Int64(counted.rounded())
    }

    private func mean(_ errors: [Double]) -> Double { errors.reduce(0, +) / Double(errors.count) }

    @Test(
        "have no bias, even where the extension's own have one",
        arguments: [10_000, 30_000, 42_000, 50_000, 70_000, 150_000])
    func bias(count: Int) {
        let raw = (1...20).map { estimate(of: count, seed: $0 * 1_000_003) }
        let errors = raw.map { Double(HyperLogLog.unbiased($0)) / Double(count) - 1 }
        // The mean of twenty estimates is known to 0.18 %; the seeds are fixed.
        #expect(abs(mean(errors)) < 0.006)
        #expect(errors.allSatisfy { abs($0) < 4 * HyperLogLog.standardError })
        guard count == 42_000 else { return }
        #expect(mean(raw.map { Double($0) / Double(count) - 1 }) > 0.015)
    }

    @Test("give shares whose intervals contain the truth, which Wilson's alone do not")
    func shares() {
        let truth = 0.6
        let shares = (UInt64(1)...20).map { seed in
            let counts = [60_000, 100_000].map {
                HyperLogLog.unbiased(estimate(of: $0, seed: seed * 1_000_003))
            }
            return (
                counted: Proportion(counts[0], of: counts[1]),
                estimated: Proportion(
                    counts[0], of: counts[1], relativeError: HyperLogLog.standardError * 2.0.squareRoot())
            )
        }
        #expect(shares.count { $0.estimated.interval?.contains(truth) == true } >= 19)
        #expect(shares.count { $0.counted.interval?.contains(truth) == true } <= 16)
    }

    @Test("are unchanged for few, and almost unchanged for many")
    func ends() {
        #expect(HyperLogLog.unbiased(0) == 0)
        #expect(HyperLogLog.unbiased(40_000) == 40_000)
        #expect(HyperLogLog.unbiased(45_000) == 44_238)
        #expect(abs(HyperLogLog.unbiased(163_000) - 163_000) < 100)
        #expect(HyperLogLog.unbiased(10_000_000) == 10_000_000)
    }
}
