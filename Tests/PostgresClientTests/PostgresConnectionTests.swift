import Foundation
import Logging
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct PostgresConnectionTests {
    private func query(
        _ text: String, _ parameters: [PostgresParameter] = []
    ) async throws -> [[String]] {
        try await TestDatabase.current.query(text, parameters) { row in [try row.get(0, as: String.self)] }
    }

    @Test("every type comes back as it was sent")
    func roundTrip() async throws {
        let id = UUID()
        let bytes: [UInt8] = [0, 1, 254, 255]
        let rows = try await TestDatabase.current.query(
            """
            SELECT $1::uuid, $2::bytea, $3::text, $4::bigint, $5::integer, $6::smallint, $7::boolean,
                   $8::double precision, $9::timestamptz
            """,
            [
                .value(id), .value(bytes), .value("naïve 🛬"), .value(Int64.min), .value(Int32(-7)),
                .value(Int16.max), .value(true), .value(0.1), .value(Instant(millisecondsSinceEpoch: -1)),
            ]
        ) { (row: PostgresRow) throws -> Bool in
            #expect(try row.get(0, as: UUID.self) == id)
            #expect(try row.get(1, as: [UInt8].self) == bytes)
            #expect(try row.get(2, as: String.self) == "naïve 🛬")
            #expect(try row.get(3, as: Int64.self) == .min)
            #expect(try row.get(4, as: Int32.self) == -7)
            #expect(try row.get(5, as: Int16.self) == .max)
            #expect(try row.get(6, as: Bool.self))
            #expect(try row.get(7, as: Double.self) == 0.1)
            #expect(try row.get(8, as: Instant.self) == Instant(millisecondsSinceEpoch: -1))
            return true
        }
        #expect(rows == [true])
    }

    @Test("arrays keep order, length and nulls, and may be empty")
    func arrays() async throws {
        let sum = try await query(
            "SELECT coalesce(string_agg(coalesce(item, '-'), ','), 'none') FROM unnest($1::text[]) AS item",
            [.nullableArray(["a", nil, "", "ü"] as [String?])])
        #expect(sum == [["a,-,,ü"]])
        let empty = try await query(
            "SELECT coalesce(string_agg(item, ','), 'none') FROM unnest($1::text[]) AS item",
            [.array([String]())])
        #expect(empty == [["none"]])
        let null = try await query(
            "SELECT CASE WHEN $1::bigint[] IS NULL THEN 'null' ELSE 'array' END", [.noArray(of: Int64.self)])
        #expect(null == [["null"]])
    }

    @Test(
        "arrays are read as they were sent; a null array is empty, one with nulls or two dimensions is rejected"
    )
    func readArrays() async throws {
        let rows = try await TestDatabase.current.query(
            "SELECT $1::bigint[] AS numbers, $2::text[] AS words, '{}'::smallint[] AS none, NULL::smallint[] AS nothing",
            [.array([1, -2, .max] as [Int64]), .array(["", "ü"])]
        ) { (row: PostgresRow) throws -> Bool in
            #expect(try row.getArray("numbers") == [1, -2, .max] as [Int64])
            #expect(try row.getArray("words") == ["", "ü"] as [String])
            #expect(try row.getArray("none", of: Int16.self).isEmpty)
            #expect(try row.getArray("nothing", of: Int16.self).isEmpty)
            return true
        }
        #expect(rows == [true])
        for text in ["'{1,NULL}'::bigint[]", "'{{1,2},{3,4}}'::bigint[]", "'{1}'::integer[]", "1::bigint"] {
            await #expect(throws: PostgresError.self, "\(text)") {
                try await TestDatabase.current.query("SELECT \(text) AS numbers") {
                    try $0.getArray("numbers", of: Int64.self)
                }
            }
        }
    }

    @Test(
        "rows of a composite type keep their fields, order and nulls, and may be empty", arguments: [0, 1, 3])
    func rows(count: Int) async throws {
        try await TestDatabase.current.execute(
            "CREATE TYPE landfall.sample AS (id uuid, size bigint, name text, level smallint)")
        let ids = (0..<count).map { _ in UUID() }
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.sample"), Array(ids.enumerated())) {
            $1.append($0.element)
            $1.append(Int64($0.offset))
            $1.append($0.offset == 1 ? nil : "naïve")
            $1.append(Int16($0.offset))
        }
        let read = try await query(
            "SELECT concat_ws(' ', id, size, name, level) FROM unnest($1::landfall.sample[])", [parameter])
        let expected = ids.enumerated().map { offset, id in
            let name = offset == 1 ? "" : " naïve"
            return ["\(id.uuidString.lowercased()) \(offset)\(name) \(offset)"]
        }
        #expect(read == expected)
    }

    @Test("a row type that the database lacks is an error that names it")
    func unknownRowType() async throws {
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.nothing"), [1]) {
            $1.append(Int64($0))
        }
        await #expect(throws: PostgresError.self) {
            _ = try await query("SELECT 'x' WHERE $1 IS NULL", [parameter])
        }
    }

    @Test("columns are read by name in every row, and of two with one name the first")
    func names() async throws {
        let rows = try await TestDatabase.current.query(
            "SELECT number::bigint AS first, -number::bigint AS second, 0::bigint AS first FROM generate_series(1, 2) AS number"
        ) { [try $0.get("second", as: Int64.self), try $0.get("first", as: Int64.self)] }
        #expect(rows == [[-1, 1], [-2, 2]])
    }

    @Test("a null, a missing column and a wrong type are errors, not crashes")
    func strictReading() async throws {
        let database = TestDatabase.current
        await #expect(throws: PostgresError.self) {
            try await database.query("SELECT NULL::text") { try $0.get(0, as: String.self) }
        }
        await #expect(throws: PostgresError.self) {
            try await database.query("SELECT 1::bigint") { try $0.get("nope", as: Int64.self) }
        }
        await #expect(throws: PostgresError.self) {
            try await database.query("SELECT 1::bigint") { try $0.get(0, as: String.self) }
        }
    }

    @Test("an error has the SQLSTATE and the statement's name, and none of the values")
    func errors() async throws {
        let pool = TestDatabase.current.pool
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withConnection { connection in
                _ = try connection.query(
                    SQLFile(name: "reports/example", text: "SELECT $1::text::bigint"), [.value("secret")])
            }
        }
        #expect(error?.sqlState?.rawValue == "22P02")
        #expect(error?.isDataError == true)
        #expect(error?.description.contains("reports/example") == true)
    }

    @Test("a transaction that throws leaves nothing behind, and the connection stays usable")
    func rollback() async throws {
        struct Stop: Error {}
        let database = TestDatabase.current
        await #expect(throws: Stop.self) {
            try await database.pool.withTransaction { connection in
                try connection.query(
                    SQLFile(
                        name: "insert",
                        text: "INSERT INTO landfall.app (slug, created_at) VALUES ('a', now())"))
                throw Stop()
            }
        }
        #expect(try await database.count("SELECT count(*) FROM landfall.app") == 0)
    }

    @Test("a connection that the server ended is replaced")
    func reconnects() async throws {
        let database = TestDatabase.current
        await #expect(throws: PostgresError.self) {
            try await database.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect(try await database.count("SELECT 1::bigint") == 1)
    }

    @Test("a missing server is 'unavailable', every time, without a long wait")
    func backsOff() async throws {
        let pool = PostgresPool(
            .init(url: "host=/nonexistent", size: 1), logger: .init(label: "test"))
        for _ in 1...3 {
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { _ in }
            }
            #expect(error?.isTransient == true)
        }
        try await pool.close()
    }
}
