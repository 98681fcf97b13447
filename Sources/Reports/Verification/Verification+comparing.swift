extension Verification {
    /// Compares one table. A missing counter is equal to 0.
    mutating func compare(
        _ table: String, _ counted: [CounterKey: [Int64]], _ recorded: [CounterKey: [Int64]], names: [String]
    ) {
        let zeros = names.map { _ in Int64(0) }
        let keys = Set(counted.keys).union(recorded.keys)
        counters += Int64(keys.count * names.count)
        let differing = keys.filter { counted[$0] ?? zeros != recorded[$0] ?? zeros }
        for key in differing.sorted() {
            let pairs = zip(names, zip(counted[key] ?? zeros, recorded[key] ?? zeros))
            for (name, pair) in pairs where pair.0 != pair.1 {
                note(Difference(table, key, measure: name, counted: pair.0, recorded: pair.1))
            }
        }
    }

    mutating func note(_ difference: Difference) {
        differenceCount += 1
        if differences.count < Self.differenceLimit { differences.append(difference) }
    }
}

extension Verification.Difference {
    init(_ table: String, _ key: CounterKey, measure: String, counted: Int64, recorded: Int64) {
        self.init(
            table: table, appID: key.appID, quarter: key.quarter, campaignID: key.campaignID,
            segmentID: key.segmentID, part: key.part, measure: measure, counted: counted, recorded: recorded)
    }
}
