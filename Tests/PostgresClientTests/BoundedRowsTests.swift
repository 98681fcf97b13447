import Logging
import PostgresClient
import TestDatabase
import Testing

/// Statements whose rows are wanted only if they are few.
@Suite("Bounded rows", .database, .timeLimit(.minutes(40))) struct BoundedRowsTests {
    private func run<Value: Sendable>(
        preparesStatements: Bool, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(
            TestDatabase.current.configuration(size: 1, preparesStatements: preparesStatements),
            logger: Logger(label: "test"))
        do {
            let value = try await pool.withConnection(body)
            try await pool.close()
            return value
        } catch {
            try await pool.close()
            throw error
        }
    }

    @Test("are the same as without a bound if there are no more than that", arguments: [true, false])
    func enough(preparesStatements: Bool) async throws {
        let file = SQLFile(
            name: "test/rows",
            text: """
                SELECT number::bigint, CASE WHEN number % 2 = 0 THEN 'naïve ' || number END AS name,
                       ''::text AS blank
                  FROM generate_series(1, $1::bigint) AS number
                """)
        for count in [Int64(0), 1, 100] {
            let texts = try await run(preparesStatements: preparesStatements) { connection in
                // Once within a transaction, whose BEGIN is sent with the statement.
                let bounded = try connection.transaction {
                    try connection.query(file, [.value(count)], mostRows: 100)
                }
                return try [bounded, connection.query(file, [.value(count)])].map { rows in
                    let numbers: [Int64] = try rows.column("number")
                    let names: [String?] = try rows.optionalColumn("name")
                    let blanks: [String] = try rows.column("blank")
                    return "\(rows.count) \(numbers) \(names) \(blanks)"
                }
            }
            #expect(texts[0] == texts[1])
            #expect(texts[0].hasPrefix("\(count) "))
        }
    }

    @Test(
        "one row more ends the statement long before it finishes, and the next one works",
        arguments: [true, false])
    func tooMany(preparesStatements: Bool) async throws {
        // All of them would take hours, and more memory than there is.
        let endless = SQLFile(name: "test/endless", text: "SELECT generate_series(1, 1000000000000)")
        let one = SQLFile(name: "test/one", text: "SELECT 1::bigint")
        let pool = PostgresPool(
            TestDatabase.current.configuration(size: 1, preparesStatements: preparesStatements),
            logger: Logger(label: "test"))
        await #expect(throws: PostgresError.tooManyRows(statement: "test/endless", most: 10)) {
            try await pool.withConnection(attempts: 3) { connection in
                _ = try connection.snapshot { try connection.query(endless, [], mostRows: 10) }
            }
        }
        let number = try await pool.withConnection { try $0.query(one).single().get(0, as: Int64.self) }
        #expect(number == 1)
        #expect(pool.usage.idle == 1)
        #expect(pool.usage.busy == 0)
        try await pool.close()
    }

    @Test("an error after the first rows is reported as such, and the connection stays usable")
    func laterError() async throws {
        let broken = SQLFile(
            name: "test/broken", text: "SELECT 1 / (5 - number) FROM generate_series(1, 10) AS number")
        let one = SQLFile(name: "test/one", text: "SELECT 1::bigint")
        let (state, number) = try await run(preparesStatements: true) { connection in
            var state: String?
            do {
                _ = try connection.query(broken, [], mostRows: 100)
            } catch let error as PostgresError {
                state = error.sqlState?.rawValue
            }
            return (state, try connection.query(one).single().get(0, as: Int64.self))
        }
        #expect(state == "22012")
        #expect(number == 1)
    }
}
