internal import PostgresClient

extension PostgresPool {
    /// Runs the body for each element, on all connections of the pool at once.
    func each<Elements: Sequence>(
        _ elements: Elements,
        _ body: @escaping @Sendable (PostgresConnection, Elements.Element) throws -> Void
    ) async throws where Elements.Element: Sendable {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for element in elements {
                group.addTask {
                    try Task.checkCancellation()
                    try await self.withConnection { try body($0, element) }
                }
            }
            try await group.waitForAll()
        }
    }
}
