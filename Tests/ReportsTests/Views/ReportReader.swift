import Access
import Foundation
import PostgresClient
import TestDatabase

/// A connection as a role of `landfall migrate --report-role`.
final class ReportReader {
    let role: String
    let connection: PostgresConnection

    private init(role: String, connection: PostgresConnection) {
        self.role = role
        self.connection = connection
    }

    /// Runs the body with a uniquely named role, which is dropped afterward: roles belong to the whole
    /// cluster.
    static func with(_ body: (ReportReader) throws -> Void) async throws {
        let database = TestDatabase.current
        let role = "reader_" + UUID().uuidString.lowercased()
        try await database.pool.withConnection { try ReportRole.grant(role, on: $0) }
        let result = Result {
            try body(
                ReportReader(
                    role: role, connection: TestDatabase.connect(to: database.url + " user=\(role)")))
        }
        for statement in ["DROP OWNED BY", "DROP ROLE"] {
            try await database.execute("\(statement) \"\(role)\"")
        }
        try result.get()
    }

    @discardableResult
    func query(_ text: String) throws -> PostgresRows {
        try connection.query(SQLFile(name: "test/\(text.hashValue)", text: text))
    }

    /// Returns the SQLSTATE of the statement's error; `nil` if it succeeds.
    func rejection(of text: String) -> SQLState? {
        do {
            try query(text)
            return nil
        } catch {
            return (error as? PostgresError)?.sqlState
        }
    }
}
