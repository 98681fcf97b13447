internal import Synchronization

/// The bytes of bodies that this server holds: those being read and those whose items wait to be written.
///
/// A body takes up a small multiple of its size in memory, so this limit bounds memory, however many callers there are.
final class IntakeBudget: Sendable {
    private let limit: Int
    private let rejected: @Sendable () -> Void
    private let taken = Atomic<Int>(0)

    /// - Parameter refused: called for each body that is rejected because the budget is spent.
    init(bytes limit: Int, rejected: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.rejected = rejected
    }

    var isSpent: Bool { taken.load(ordering: .relaxed) >= limit }

    /// One request's share of the budget, returned when the request ends at the latest.
    struct Share: ~Copyable {
        private let budget: IntakeBudget
        private var bytes = 0

        fileprivate init(_ budget: IntakeBudget) {
            self.budget = budget
        }

        /// - Throws: 503 if the budget is spent; the share keeps what it took until it ends.
        mutating func take(_ count: Int) throws(Problem) {
            let taken = budget.taken.add(count, ordering: .relaxed).newValue
            bytes += count
            guard taken <= budget.limit || taken == bytes else {
                budget.rejected()
                throw .overloaded
            }
        }

        mutating func giveBack() {
            budget.taken.subtract(bytes, ordering: .relaxed)
            bytes = 0
        }

        deinit {
            if bytes > 0 { budget.taken.subtract(bytes, ordering: .relaxed) }
        }
    }

    func share() -> Share { Share(self) }
}
