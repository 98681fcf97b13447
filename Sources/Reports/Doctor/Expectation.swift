/// The volume to expect, from the same hours of past weeks.
struct Expectation: Hashable {
    let median: Int64
    let least: Int64
    let weeks: Int

    /// `nil` if the volume was nothing, little or irregular.
    init?(_ past: [Int64], _ rules: DoctorRules) {
        let sorted = past.sorted()
        guard sorted.count >= rules.leastWeeks, let least = sorted.first else { return nil }
        // If their number is even, the lower of the two middle ones: expect less.
        median = sorted[(sorted.count - 1) / 2]
        self.least = least
        weeks = sorted.count
        guard median >= rules.expected, Double(least) >= Double(median) * rules.steadiness else { return nil }
    }
}
