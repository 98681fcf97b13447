internal import DeliveryModel
internal import Ingestion
internal import Synchronization

/// The bytes of bodies that this server holds: those being read and those whose items wait to be written.
///
/// A body takes up a small multiple of its size in memory, so this limit bounds memory, however many callers
/// there are. If there are several cells, each has its share; each flow has its share of its cell's.
final class IntakeBudget: Sendable {
    private struct Taken {
        var total = 0
        var byFlow: [Flow: Int] = [:]
        /// Empty if there is one cell.
        var byCell: [CellNumber: Int] = [:]
    }

    private let limit: Int
    private let isDivided: Bool
    private let rejected: @Sendable () -> Void
    private let taken = Mutex(Taken())

    /// - Parameters:
    ///   - isDivided: whether there are several cells.
    ///   - rejected: called for each body that is rejected because its flow has its share.
    init(bytes limit: Int, isDivided: Bool = false, rejected: @escaping @Sendable () -> Void = {}) {
        (self.limit, self.isDivided) = (limit, isDivided)
        self.rejected = rejected
    }

    func isSpent(for flow: Flow, in cell: CellNumber = .front) -> Bool {
        taken.withLock { taken in
            let (all, limit) = share(of: cell, taken)
            return Flow.hasItsShare(taken.byFlow[flow, default: 0], ofAll: all, limit: limit)
        }
    }

    /// The bytes that a cell holds, and its limit.
    private func share(of cell: CellNumber, _ taken: borrowing Taken) -> (held: Int, limit: Int) {
        guard isDivided else { return (taken.total, limit) }
        let held = taken.byCell[cell, default: 0]
        return (held, Flow.limit(inCell: limit, besides: taken.total - held))
    }

    /// One request's share of the budget, returned when the request ends at the latest.
    struct Share: ~Copyable {
        fileprivate let budget: IntakeBudget
        fileprivate let flow: Flow
        fileprivate let cell: CellNumber
        fileprivate var bytes = 0

        /// - Throws: 503 if the flow has used its share; what was taken is kept until the request ends.
        mutating func take(_ count: Int) throws(Problem) {
            guard budget.take(count, for: flow, in: cell, after: bytes) else {
                budget.rejected()
                throw .overloaded
            }
            bytes += count
        }

        mutating func giveBack() {
            budget.giveBack(bytes, of: flow, in: cell)
            bytes = 0
        }

        deinit {
            if bytes > 0 { budget.giveBack(bytes, of: flow, in: cell) }
        }
    }

    func share(for flow: Flow, in cell: CellNumber = .front) -> Share {
        Share(budget: self, flow: flow, cell: cell)
    }

    /// A flow's only body may take all that is left to its cell, a cell's only one all that is left, and the
    /// only body of all any size: bodies of every allowed size get through.
    ///
    /// - Parameter bytes: what the same body took before.
    private func take(_ count: Int, for flow: Flow, in cell: CellNumber, after bytes: Int) -> Bool {
        taken.withLock { taken in
            let held = taken.byFlow[flow, default: 0]
            let (inCell, cellLimit) = share(of: cell, taken)
            let isRoom = inCell + count <= cellLimit || inCell == bytes && taken.total + count <= limit
            let isOnly = held == bytes && (isRoom || taken.total == bytes)
            guard isOnly || !Flow.hasItsShare(held, ofAll: inCell, limit: cellLimit) else { return false }
            taken.total += count
            if isDivided { taken.byCell[cell, default: 0] += count }
            taken.byFlow[flow] = held + count
            return true
        }
    }

    private func giveBack(_ bytes: Int, of flow: Flow, in cell: CellNumber) {
        taken.withLock { taken in
            let rest = taken.byFlow[flow, default: 0] - bytes
            taken.byFlow[flow] = rest == 0 ? nil : rest
            taken.total -= bytes
            if isDivided { taken.byCell[cell, default: 0] -= bytes }
        }
    }
}
