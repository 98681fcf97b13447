/// What the same hours of past weeks lead one to expect.
struct Expectation: Hashable {
    let median: Int64
    let least: Int64
    let weeks: Int

    /// Nil where nothing, little, or now this and now that came in.
    init?(_ past: [Int64], _ rules: DoctorRules) {
        let sorted = past.sorted()
        guard sorted.count >= rules.leastWeeks, let least = sorted.first else { return nil }
        // Of an even number the lower one of both: expect less.
        median = sorted[(sorted.count - 1) / 2]
        self.least = least
        weeks = sorted.count
        guard median >= rules.expected, Double(least) >= Double(median) * rules.steadiness else { return nil }
    }
}
