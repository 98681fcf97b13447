public import DeliveryModel

/// The counts and rates of one row by their ids, so that those of two windows can be put side by side, whatever the report.
public struct Figures: Hashable, Sendable {
    public struct Count: Hashable, Sendable {
        public let id: String
        /// Nil where it was not counted.
        public let value: Int64?

        public init(_ id: String, _ value: Int64?) {
            self.id = id
            self.value = value
        }
    }

    public struct Share: Hashable, Sendable {
        public let id: String
        public let proportion: Proportion

        public init(_ id: String, _ proportion: Proportion) {
            self.id = id
            self.proportion = proportion
        }
    }

    public let counts: [Count]
    public let rates: [Share]

    public init(counts: [Count], rates: [Share]) {
        self.counts = counts
        self.rates = rates
    }

    /// The same ids with nothing in them: what a row that is missing is worth.
    var emptied: Figures {
        Figures(
            counts: counts.map { Count($0.id, $0.value == nil ? nil : 0) },
            rates: rates.map { Share($0.id, Proportion(0, of: 0)) })
    }
}

/// Figures of now beside those of before, with the same ids in the same order.
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

        /// Nil where one of them was not counted.
        public var change: Int64? {
            guard let before, let now else { return nil }
            return now - before
        }
    }

    public var counts: [Count] {
        zip(before.counts, now.counts).map { Count(id: $1.id, before: $0.value, now: $1.value) }
    }

    public struct Share: Hashable, Sendable {
        public let id: String
        public let difference: ProportionDifference
    }

    public var rates: [Share] {
        zip(before.rates, now.rates).map {
            Share(id: $1.id, difference: ProportionDifference(from: $0.proportion, to: $1.proportion))
        }
    }
}
