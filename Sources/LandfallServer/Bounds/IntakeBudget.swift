internal import Synchronization

/// How many bytes of bodies this server holds: those that are being read and those whose items wait to be written.
///
/// What a body becomes in memory is a small multiple of it, so this is what keeps memory flat however many callers there are.
final class IntakeBudget: Sendable {
    private let limit: Int
    private let refused: @Sendable () -> Void
    private let taken = Atomic<Int>(0)

    /// - Parameter refused: told of each body that is refused for want of budget.
    init(bytes limit: Int, refused: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.refused = refused
    }

    /// Whether there is nothing left to take.
    var isSpent: Bool { taken.load(ordering: .relaxed) >= limit }

    /// One request's part of the budget, given back when the request ends, if not before.
    struct Share: ~Copyable {
        private let budget: IntakeBudget
        private var bytes = 0

        fileprivate init(_ budget: IntakeBudget) {
            self.budget = budget
        }

        /// - Throws: 503 when the budget is spent; what was taken before stays taken until the share ends.
        mutating func take(_ count: Int) throws(Problem) {
            let taken = budget.taken.add(count, ordering: .relaxed).newValue
            bytes += count
            guard taken <= budget.limit || taken == bytes else {
                budget.refused()
                throw .overloaded
            }
        }

        /// Gives back what was taken.
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
