internal import Foundation

/// The accuracy of estimates by PostgreSQL's extension `hll` with 2¹⁴ registers (Flajolet, Fusy, Gandouet and Meunier 2007).
enum HyperLogLog {
    static let registers = 16_384.0

    /// Up to this many are kept individually and counted exactly.
    static let mostExact: Int64 = 1_280

    /// The relative standard error of one estimate: two of three are within it, 95 of 100 within twice of it.
    static let standardError = 1.04 / registers.squareRoot()

    /// Removes the bias of an estimate.
    ///
    /// Up to 2.5 installations per register, `hll` counts empty registers, which has no bias. Above that, it uses the
    /// raw estimate, which is 2.5 % too high at first and correct from about 5 per register. The expected raw estimate
    /// for a number of installations is known (``expectedRawEstimate(of:)``), so this searches for that number.
    static func unbiased(_ estimate: Int64) -> Int64 {
        let raw = Double(estimate)
        guard raw >= 2.5 * registers, raw < 10 * registers else { return estimate }
        var (low, high) = (0.5 * raw, raw * 1.1)
        while high - low > 0.25 {
            let middle = (low + high) / 2
            if expectedRawEstimate(of: middle) < raw { low = middle } else { high = middle }
        }
        return Int64(low.rounded())
    }

    /// The expected raw estimate for this many distinct installations, each of which falls into a register
    /// at random and independently: a register then holds at most k with probability e^(−load · 2⁻ᵏ).
    static func expectedRawEstimate(of count: Double) -> Double {
        let load = count / registers
        var (sum, atMostLess, weight) = (0.0, 0.0, 1.0)
        for _ in 0..<32 {
            let atMost = exp(-load * weight)
            sum += weight * (atMost - atMostLess)
            atMostLess = atMost
            weight /= 2
        }
        return 0.7213 / (1 + 1.079 / registers) * registers / sum
    }
}
