internal import Foundation

/// What the estimates of PostgreSQL's extension `hll` with 2¹⁴ registers are worth (Flajolet, Fusy, Gandouet and Meunier 2007).
enum HyperLogLog {
    static let registers = 16_384.0

    /// Up to so many are kept one by one, and counted.
    static let mostExact: Int64 = 1_280

    /// Relative, of one estimate: two of three are as near as this, 95 of 100 twice as near.
    static let standardError = 1.04 / registers.squareRoot()

    /// Takes the bias out of an estimate.
    ///
    /// Up to 2.5 installations per register `hll` counts empty registers, which has no bias. From there on it takes the raw
    /// estimate, which is 2.5 % too high at first and right from about 5 per register. What the raw estimate is to be expected to
    /// be for a number of installations is known (``expectedRawEstimate(of:)``), so that number is looked for.
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

    /// Of so many different installations, each of which falls into a register by chance, independently: a register then holds
    /// at most k with the probability e^(−load · 2⁻ᵏ).
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
