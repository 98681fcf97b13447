/// Holm's step-down correction for several tests at once, which find something by chance more often than one
/// does. It keeps the chance of any false finding among them at the level of one test, without assuming that
/// they are independent. (Holm 1979.)
public enum HolmCorrection {
    /// The corrected p values, in the order of the given ones.
    public static func corrected(_ pValues: [Double]) -> [Double] {
        let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
        var corrected = pValues
        var largest = 0.0
        for (rank, position) in order.enumerated() {
            largest = max(largest, min(1, pValues[position] * Double(pValues.count - rank)))
            corrected[position] = largest
        }
        return corrected
    }
}
