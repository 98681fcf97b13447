internal import Ingestion
internal import Synchronization

/// The bytes of bodies that this server holds: those being read and those whose items wait to be written.
///
/// A body takes up a small multiple of its size in memory, so this limit bounds memory, however many callers
/// there are. Each flow has its share.
final class IntakeBudget: Sendable {
    private struct Taken {
        var total = 0
        var byFlow: [Flow: Int] = [:]
    }

    private let limit: Int
    private let rejected: @Sendable () -> Void
    private let taken = Mutex(Taken())

    /// - Parameter rejected: called for each body that is rejected because its flow has its share.
    init(bytes limit: Int, rejected: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.rejected = rejected
    }

    func isSpent(for flow: Flow) -> Bool {
        taken.withLock { Flow.hasItsShare($0.byFlow[flow, default: 0], ofAll: $0.total, limit: limit) }
    }

    /// One request's share of the budget, returned when the request ends at the latest.
    struct Share: ~Copyable {
        fileprivate let budget: IntakeBudget
        fileprivate let flow: Flow
        fileprivate var bytes = 0

        /// - Throws: 503 if the flow has used its share; what was taken is kept until the request ends.
        mutating func take(_ count: Int) throws(Problem) {
            guard budget.take(count, for: flow, after: bytes) else {
                budget.rejected()
                throw .overloaded
            }
            bytes += count
        }

        mutating func giveBack() {
            budget.giveBack(bytes, of: flow)
            bytes = 0
        }

        deinit {
            if bytes > 0 { budget.giveBack(bytes, of: flow) }
        }
    }

    func share(for flow: Flow) -> Share { Share(budget: self, flow: flow) }

    /// A flow's only body may take all that is left, and the only body of all any size: bodies of every
    /// allowed size get through.
    ///
    /// - Parameter bytes: what the same body took before.
    private func take(_ count: Int, for flow: Flow, after bytes: Int) -> Bool {
        taken.withLock { taken in
            let held = taken.byFlow[flow, default: 0]
            let isOnly = held == bytes && (taken.total + count <= limit || taken.total == bytes)
            guard isOnly || !Flow.hasItsShare(held, ofAll: taken.total, limit: limit) else { return false }
            taken.total += count
            taken.byFlow[flow] = held + count
            return true
        }
    }

    private func giveBack(_ bytes: Int, of flow: Flow) {
        taken.withLock { taken in
            let rest = taken.byFlow[flow, default: 0] - bytes
            taken.byFlow[flow] = rest == 0 ? nil : rest
            taken.total -= bytes
        }
    }
}
