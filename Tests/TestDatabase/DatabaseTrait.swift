public import Testing

/// Gives a test a database of its own.
public struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the test takes minutes.
    let isLong: Bool

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await TestPlaces.shared.take(isLong: isLong)
        do {
            try await run(function)
        } catch {
            await TestPlaces.shared.give()
            throw error
        }
        await TestPlaces.shared.give()
    }

    private func run(_ function: @Sendable () async throws -> Void) async throws {
        let database = try await TestCluster.shared.makeDatabase()
        do {
            try await TestDatabase.$current.withValue(database) { try await function() }
        } catch {
            try await TestCluster.shared.drop(database)
            throw error
        }
        try await TestCluster.shared.drop(database)
    }
}

extension Trait where Self == DatabaseTrait {
    public static var database: DatabaseTrait { DatabaseTrait(isLong: false) }

    /// The same for tests that take minutes.
    public static var databaseForLong: DatabaseTrait { DatabaseTrait(isLong: true) }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if there are several cells.
    ///
    /// - Parameter reason: why the test is about one cell; docs/development.md lists the reasons.
    public static func oneCell(_ reason: Comment) -> Self {
        .enabled(if: !TestDatabase.hasSeveralCells, reason)
    }
}
