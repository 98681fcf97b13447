public import DeliveryModel

/// The counts and rates of one row by id, so that those of two windows can be compared in any report.
public struct Figures: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        /// A number of notifications or installations.
        case count
        /// A time; such ids end in `_ms`.
        case milliseconds
    }

    public struct Count: Hashable, Sendable {
        public let id: String
        /// `nil` if it was not counted, or if there is nothing to time.
        public let value: Int64?
        public let unit: Unit
    }

    public struct Share: Hashable, Sendable {
        public let id: String
        public let proportion: Proportion
        /// Whether the rate has a caveat (``Rate/caveat(in:)``), so that it cannot be compared with others.
        public let isDoubtful: Bool
    }

    public let counts: [Count]
    public let rates: [Share]

    /// Without the other counts.
    public func withCounts(_ ids: Set<String>) -> Figures {
        Figures(counts: counts.filter { ids.contains($0.id) }, rates: rates)
    }
}

/// Current figures next to earlier ones, with the same ids in the same order.
public struct FiguresChange: Hashable, Sendable {
    public let before: Figures
    public let now: Figures

    public init(from before: Figures, to now: Figures) {
        self.before = before
        self.now = now
    }

    public struct Count: Hashable, Sendable {
        public let id: String
        public let before: Int64?
        public let now: Int64?
        public let unit: Figures.Unit

        /// `nil` if one of them was not counted.
        public var change: Int64? {
            guard let before, let now else { return nil }
            return now - before
        }
    }

    public var counts: [Count] {
        zip(before.counts, now.counts).map {
            Count(id: $1.id, before: $0.value, now: $1.value, unit: $1.unit)
        }
    }

    public struct Share: Hashable, Sendable {
        public let id: String
        public let difference: ProportionDifference
        /// Whether one of the two rates has a caveat.
        public let isDoubtful: Bool
    }

    public var rates: [Share] {
        zip(before.rates, now.rates).map {
            Share(
                id: $1.id, difference: ProportionDifference(from: $0.proportion, to: $1.proportion),
                isDoubtful: $0.isDoubtful || $1.isDoubtful)
        }
    }
}
