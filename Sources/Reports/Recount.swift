internal import DeliveryModel

/// What the counters should say, according to the notifications.
struct Recount {
    private(set) var notifications: Int64 = 0
    private var measures: [CounterKey: MeasureCounts] = [:]
    private(set) var unmatched: [CounterKey: [Int64]] = [:]

    static let measureNames = Measure.allCases.map(\.rawValue)
    static let unmatchedNames = UnmatchedMeasure.allCases.map(\.rawValue)

    /// Adds a number of notifications in the same state. Only those with an answer count in campaigns and
    /// segments.
    mutating func add(key: CounterKey, state: DeliveryState, count: Int64) {
        notifications += count
        if state.contains(.attempted) {
            measures[key, default: MeasureCounts()].add(from: [], to: state, count: count)
            return
        }
        let appKey = CounterKey(appID: key.appID, quarter: key.quarter, campaignID: nil, segmentID: nil)
        let worth = UnmatchedMeasure.allCases.map { $0.value(of: state) * count }
        Self.add(worth, to: &unmatched[appKey, default: worth.map { _ in 0 }])
    }

    /// As `segment_rollup` should have it.
    var segments: [CounterKey: [Int64]] { measures.mapValues(\.inOrder) }

    /// As `delivery_rollup` should have it: the same, summed over segments.
    var headline: [CounterKey: [Int64]] {
        var counts: [CounterKey: MeasureCounts] = [:]
        for (key, value) in measures {
            let headlineKey = CounterKey(
                appID: key.appID, quarter: key.quarter, campaignID: key.campaignID, segmentID: nil)
            counts[headlineKey, default: MeasureCounts()] += value
        }
        return counts.mapValues(\.inOrder)
    }

    /// Static, because a method would hold on to all counters while it changes one, and so copy them.
    private static func add(_ values: [Int64], to sum: inout [Int64]) {
        for position in values.indices { sum[position] += values[position] }
    }
}

extension Verification {
    /// Compares one table. A counter that is missing is as good as one that says 0.
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
