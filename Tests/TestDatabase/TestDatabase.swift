internal import Foundation
internal import Logging
public import PostgresClient

/// A migrated database that belongs to one test, cloned from a template and dropped afterward.
///
/// It is on the test run's private cluster, reached by a Unix socket: a test cannot touch a real database.
/// If there are several cells (``TestCells``), it is cell 1's, and ``front`` is cell 0's.
public struct TestDatabase: Sendable {
    public let name: String
    public let url: String
    public let schema: SchemaName
    public let pool: PostgresPool
    /// At most one: a struct cannot contain itself.
    private let fronts: [TestDatabase]

    /// The database of cell 0, which has people, their sessions and shared pages. The audit of each cell is
    /// in its own.
    public var front: TestDatabase { fronts.first ?? self }

    /// The databases of all cells, by number.
    public var all: [TestDatabase] { fronts + [self] }

    /// The database of the running test, for tests with the trait `.database`.
    @TaskLocal public static var current = TestDatabase.none

    /// The database of a test that forgot its trait: nothing listens there.
    private static let none = TestDatabase(name: "none", url: "host=/nonexistent")

    /// - Parameter url: the connection string, for a test with a cluster of its own.
    public init(name: String, url: String) {
        var fronts: [TestDatabase] = []
        if Self.hasSeveralCells {
            fronts.append(
                TestDatabase(
                    TestCells.chosen.front(of: name), Self.front(of: url), .landfall, fronts: []))
        }
        self.init(name, url, Self.schema, fronts: fronts)
    }

    private init(_ name: String, _ url: String, _ schema: SchemaName, fronts: [TestDatabase]) {
        self.name = name
        self.url = url
        self.schema = schema
        self.fronts = fronts
        self.pool = PostgresPool(
            PostgresPool.Configuration(url: url, schema: schema, size: 4), logger: Logger(label: "test"))
    }

    /// The folder of PostgreSQL's socket.
    public var socketFolder: String {
        String(url.split(separator: " ").first { $0.hasPrefix("host=") }?.dropFirst("host=".count) ?? "")
    }

    /// Runs a statement of the test's own.
    @discardableResult
    public func query<Value: Sendable>(
        _ text: String, _ parameters: [PostgresParameter] = [],
        read: @escaping @Sendable (PostgresRow) throws -> Value
    ) async throws -> [Value] {
        try await pool.withConnection { connection in
            try connection.query(SQLFile(name: "test/\(text.hashValue)", text: text), parameters).map(read)
        }
    }

    public func execute(_ text: String, _ parameters: [PostgresParameter] = []) async throws {
        try await query(text, parameters) { _ in }
    }

    /// Creates a function whose body is text that statements share: `-- part: counters` of
    /// `reports/counters`.
    public func createFunction(_ declaration: String, part: String, of chapter: String) async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sql/\(chapter).sql")
        let text = try String(contentsOf: file, encoding: .utf8)
        let body = text.components(separatedBy: "\n-- part: \(part)\n").last?
            .components(separatedBy: "\n-- name: ").first?.components(separatedBy: "\n-- part: ").first
        try await execute("CREATE FUNCTION \(declaration) LANGUAGE sql STABLE AS $$\n\(body ?? "")\n$$")
    }

    /// Returns the only number in a statement's result.
    public func count(_ text: String, _ parameters: [PostgresParameter] = []) async throws -> Int64 {
        try await query(text, parameters) { try $0.get(0, as: Int64.self) }.first ?? 0
    }

    /// Waits until some session of this database waits for a lock. The other databases of the cluster belong
    /// to other tests, and have relations with the same numbers.
    public func waitForLockWait() async throws {
        let waiting = """
            SELECT count(*) FROM pg_locks
            WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        try await wait(until: waiting)
    }

    /// Waits until a statement counts something. A minute is long enough for any machine; a test that waits
    /// for what never happens fails.
    public func wait(until text: String, _ parameters: [PostgresParameter] = []) async throws {
        for _ in 0..<6_000 {
            if try await count(text, parameters) != 0 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverHappened(text: text)
    }

    public struct NeverHappened: Error {
        public let text: String
    }
}
