internal import Logging
internal import ServiceLifecycle
internal import Settings
internal import Vault

/// Opens a cell, unless the server has done so when it started, and then runs the cell's services.
struct LateCell: Service {
    let place: CellPlace
    var pause = Duration.seconds(3)
    let logger: Logger
    let services: @Sendable (Cell) -> [any Service]

    /// - Throws: `TokenKeyError` if the server must not write to the cell; errors of its services.
    func run() async throws {
        guard let cell = try await opened() else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services(cell) { group.addTask { try await service.run() } }
            try await group.waitForAll()
        }
    }

    /// `nil` if the server ends first.
    private func opened() async throws -> Cell? {
        let metadata: Logger.Metadata = ["cell": "\(place.address.cell)"]
        return try await cancelWhenGracefulShutdown { () async throws -> Cell? in
            while !Task.isCancelled {
                if let cell = place.cell { return cell }
                do {
                    if try await place.tryToOpen() != nil {
                        logger.notice(
                            "the database of a cell is back: its apps are served", metadata: metadata)
                        continue
                    }
                } catch let error as TokenKeyError {
                    throw error
                } catch {
                    logger.error("a cell cannot be opened: \(error)", metadata: metadata)
                }
                // If canceled, the loop ends.
                try? await Task.sleep(for: pause)
            }
            return nil
        }
    }
}
