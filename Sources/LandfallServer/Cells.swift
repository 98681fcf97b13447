internal import Access
internal import DeliveryModel
internal import Settings
internal import Synchronization

/// The cells of a server. Each has its own database, so the failure of one is felt by its own apps only.
struct Cells: Sendable {
    /// The cell of people and their sessions, which is open as long as the server runs.
    let front: Cell
    /// The other cells, by number.
    let others: [CellPlace]

    /// The open cells, by number.
    var open: [Cell] { [front] + others.compactMap(\.cell) }

    var numbers: [CellNumber] { [.front] + others.map(\.address.cell) }

    /// - Throws: 503 if this server does not have the cell, or has not been able to open it yet.
    subscript(number: CellNumber) -> Cell {
        get throws(Problem) {
            guard number != .front else { return front }
            guard let place = others.first(where: { $0.address.cell == number }) else {
                throw Problem(UnknownCell(cell: number))
            }
            guard let cell = place.cell else { throw .databaseUnavailable }
            return cell
        }
    }

    /// Runs work for all open cells at once, or until a result is enough.
    ///
    /// - Returns: the results, without those of cells that failed or did not respond in time.
    /// - Throws: the failure of the only cell, whose work has no time limit.
    func each<Value: Sendable>(
        within patience: Duration = .seconds(5), _ work: @escaping @Sendable (Cell) async throws -> Value,
        until isEnough: @Sendable (Value) -> Bool = { _ in false }
    ) async throws -> [CellNumber: Value] {
        guard !others.isEmpty else { return [.front: try await work(front)] }
        return await withTaskGroup(of: (CellNumber, Value?).self) { group -> [CellNumber: Value] in
            for cell in open {
                group.addTask {
                    (cell.number, try? await within(patience) { try await work(cell) })
                }
            }
            var results: [CellNumber: Value] = [:]
            for await (number, result) in group {
                results[number] = result
                // Then nothing waits for the others.
                if let result, isEnough(result) { group.cancelAll() }
            }
            return results
        }
    }
}

/// The place of a cell that may be opened after the server has started.
final class CellPlace: Sendable {
    private enum State { case closed, opening, open(Cell) }

    let address: CellAddress
    private let open: @Sendable () async throws -> Cell
    private let state = Mutex(State.closed)

    init(_ address: CellAddress, open: @escaping @Sendable () async throws -> Cell) {
        (self.address, self.open) = (address, open)
    }

    /// `nil` until it has been opened.
    var cell: Cell? {
        state.withLock { state -> Cell? in
            guard case .open(let cell) = state else { return nil }
            return cell
        }
    }

    /// Opens the cell, unless another call is doing so.
    ///
    /// - Returns: the cell; `nil` if the other call has not opened it yet.
    func tryToOpen() async throws -> Cell? {
        let isDue = state.withLock { state -> Bool in
            guard case .closed = state else { return false }
            state = .opening
            return true
        }
        guard isDue else { return cell }
        do {
            let cell = try await open()
            state.withLock { $0 = .open(cell) }
            return cell
        } catch {
            state.withLock { $0 = .closed }
            throw error
        }
    }
}

/// Runs work that may stall. If it takes longer than `patience`, it continues, and its result is ignored.
///
/// - Returns: the result; `nil` if it was not available in time.
func within<Value: Sendable>(
    _ patience: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    let (results, result) = AsyncThrowingStream<Value, any Error>.makeStream()
    Task {
        do {
            result.yield(try await work())
            result.finish()
        } catch {
            result.finish(throwing: error)
        }
    }
    let timer = Task {
        try? await Task.sleep(for: patience)
        result.finish()
    }
    defer { timer.cancel() }
    return try await results.first { _ in true }
}
