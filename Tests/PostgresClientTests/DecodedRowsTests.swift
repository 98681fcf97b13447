import Foundation
import PostgresClient
import TestDatabase
import Testing

/// Rows that are read into a type by the names of its properties.
@Suite("Decoded rows", .database) struct DecodedRowsTests {
    private enum State: String, Decodable {
        case active, retired
    }

    private struct Build: Decodable, Equatable {
        let platform: String
    }

    private struct Known: Decodable, Equatable {
        let tokenID: Int64
        let lastSeenAt: Instant?
        let deviceID: UUID?
        let state: State
        let cause: State?
        let tags: [String]
        let turnedOff: [String]?
        let isKnown: Bool
        let status: Int32
        let build: Build
    }

    private static let columns = """
        SELECT 12::bigint AS token_id, NULL::timestamptz AS last_seen_at,
               '0b7e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f'::uuid AS device_id, 'active' AS state,
               NULL::text AS cause, '{a,b}'::text[] AS tags, NULL::text[] AS turned_off, true AS is_known, 410 AS status,
               'ios' AS platform
        """

    private func rows(_ text: String) throws -> PostgresRows {
        let connection = try TestDatabase.current.connect()
        return try connection.query(SQLFile(name: "test/decoded", text: text), [])
    }

    @Test("have optional columns, arrays, closed words, and properties that group columns")
    func everything() throws {
        let known: [Known] = try rows(Self.columns).decode()
        #expect(
            known == [
                Known(
                    tokenID: 12, lastSeenAt: nil,
                    deviceID: UUID(uuidString: "0b7e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f"), state: .active,
                    cause: nil, tags: ["a", "b"], turnedOff: nil, isKnown: true, status: 410,
                    build: Build(platform: "ios"))
            ])
    }

    @Test(
        "are an error without a column, with null instead of a value, another type or an unknown word",
        arguments: [
            ("NULL::timestamptz AS last_seen_at,", ""), ("12::bigint", "NULL::bigint"),
            ("12::bigint", "12::int"), ("'active'", "'undead'"), ("'ios'", "7::bigint"),
        ])
    func errors(part: String, replacement: String) throws {
        let text = Self.columns.replacing(part, with: replacement)
        #expect(text != Self.columns)
        #expect(throws: PostgresError.self) { _ = try rows(text).decode(Known.self) }
    }

    @Test("are values where an optional is inferred, which is a warning")
    func optional() throws {
        let row: any InferredRow = OptionalRow()
        #expect(try row.first(of: rows("SELECT 'ios' AS platform"))?.platform == "ios")
        #expect(try row.first(of: rows("SELECT 'ios' AS platform WHERE false")) == nil)
    }
}

private struct Platform: Decodable, Equatable {
    let platform: String
}

private protocol InferredRow {
    func first(of rows: PostgresRows) throws -> Platform?
}

/// The mistake. A caller through the protocol is not warned of it.
private struct OptionalRow: InferredRow {
    @available(*, deprecated) func first(of rows: PostgresRows) throws -> Platform? {
        try rows.first?.decode()
    }
}
