internal import Logging
internal import ServiceLifecycle
internal import Settings

/// Opens a cell, unless the server has done so when it started, and then runs the cell's services.
struct LateCell: Service {
    let place: CellPlace
    var pause = Duration.seconds(3)
    let logger: Logger
    let services: @Sendable (Cell) -> [any Service]

    /// - Throws: errors of the cell's services.
    func run() async throws {
        guard let cell = await opened() else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services(cell) { group.addTask { try await service.run() } }
            try await group.waitForAll()
        }
    }

    /// `nil` if the server ends first.
    private func opened() async -> Cell? {
        if let cell = place.cell { return cell }
        let metadata: Logger.Metadata = ["cell": "\(place.address.cell)"]
        return await cancelWhenGracefulShutdown { () async -> Cell? in
            var known = ""
            while !Task.isCancelled {
                do {
                    // A shutdown does not wait for a database that stalls.
                    _ = try await within(.seconds(10)) { try await place.tryToOpen() }
                } catch {
                    // The server continues for the other cells, even if this one has another token key.
                    let trouble = "\(error)"
                    if trouble != known {
                        logger.error("a cell cannot be opened: \(trouble)", metadata: metadata)
                    }
                    known = trouble
                }
                if let cell = place.cell {
                    logger.notice("the database of a cell is back: its apps are served", metadata: metadata)
                    return cell
                }
                // If canceled, the loop ends.
                try? await Task.sleep(for: pause)
            }
            return nil
        }
    }
}
