import FaultProxy
import PostgresClient
import TestDatabase
import Testing

@Suite("COPY", .database, .timeLimit(.minutes(40))) struct CopyTests {
    private static let makeTable = SQLFile(
        name: "test/make", text: "CREATE TABLE copied (number bigint PRIMARY KEY, name text)")
    private static let source = SQLFile(
        name: "test/out",
        text: """
            COPY (SELECT number, CASE WHEN number % 3 > 0 THEN repeat('ü', number::integer % 500) END
                    FROM generate_series(1::bigint, 40000) AS number) TO STDOUT (FORMAT binary)
            """)
    private static let target = SQLFile(
        name: "test/in", text: "COPY copied (number, name) FROM STDIN (FORMAT binary)")
    private static let digest = """
        SELECT count(*) || ' ' || coalesce(sum(hashtextextended(copied::text, 0)), 0) FROM copied
        """
    private static let one = SQLFile(name: "test/one", text: "SELECT 1::bigint")

    private func connect() throws -> PostgresConnection {
        try TestDatabase.current.connect()
    }

    private func one(_ connection: PostgresConnection) throws -> Int64 {
        try connection.query(Self.one).single().get(0)
    }

    @Test("brings every row from one connection to another", arguments: [false, true])
    func everyRow(inTransaction: Bool) async throws {
        let (source, target) = (try connect(), try connect())
        try target.execute(script: Self.makeTable)
        func copy() throws -> (Int64, Int64) {
            var sent: Int64 = 0
            let received = try target.copyIn(Self.target) { send in
                sent = try source.copyOut(Self.source, to: send)
            }
            return (sent, received)
        }
        let counts = inTransaction ? try source.transaction { try target.transaction(copy) } : try copy()
        #expect([counts.0, counts.1] == [40_000, 40_000])
        let expected = try await TestDatabase.current.query(
            """
            SELECT count(*) || ' ' || sum(hashtextextended((number, name)::text, 0))
              FROM (SELECT number, CASE WHEN number % 3 > 0 THEN repeat('ü', number::integer % 500) END AS name
                      FROM generate_series(1::bigint, 40000) AS number) AS made
            """
        ) { try $0.get(0, as: String.self) }
        #expect(
            try await TestDatabase.current.query(Self.digest) { try $0.get(0, as: String.self) } == expected)
        #expect(try one(source) + one(target) == 2)
    }

    @Test("pieces may be of any length")
    func pieces() async throws {
        let connection = try connect()
        try connection.execute(script: Self.makeTable)
        let text = SQLFile(name: "test/text", text: "COPY copied FROM STDIN")
        let count = try connection.copyIn(text) { send in
            for byte in "1\tnaïve\n2\t\\N\n".utf8 {
                try withUnsafeBytes(of: byte) { try send($0) }
            }
            try send(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        #expect(count == 2)
        #expect(try connection.copyIn(text) { _ in } == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM copied WHERE name IS NULL") == 1)
    }

    @Test("an error of the server ends it without the row, and the connection works")
    func errors() throws {
        let connection = try connect()
        try connection.execute(script: Self.makeTable)
        let text = SQLFile(name: "test/text", text: "COPY copied FROM STDIN")
        let rows = Array("1\tsecret\n".utf8)
        for repetitions in [2, 100_000] {
            do {
                try connection.copyIn(text) { send in
                    for _ in 0..<repetitions { try rows.withUnsafeBytes { try send($0) } }
                }
                Issue.record("two rows have the same key")
            } catch let error as PostgresError {
                #expect(error.sqlState == .uniqueViolation)
                #expect(!"\(error)".contains("secret"))
            }
            #expect(try one(connection) == 1)
        }
        let missing = SQLFile(name: "test/missing", text: "COPY nowhere TO STDOUT")
        #expect(throws: PostgresError.self) { try connection.copyOut(missing) { _ in } }
        #expect(throws: PostgresError.self) { try connection.copyIn(missing) { _ in } }
        let failing = SQLFile(
            name: "test/failing", text: "COPY (SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n) TO STDOUT")
        #expect(throws: PostgresError.self) { try connection.copyOut(failing) { _ in } }
        #expect(throws: PostgresError.self) { try connection.copyOut(Self.one) { _ in } }
        #expect(try one(connection) == 1)
    }

    @Test("a body that throws copies nothing; a reader that throws gives up the connection")
    func throwing() async throws {
        struct Stopped: Error {}
        let connection = try connect()
        try connection.execute(script: Self.makeTable)
        let text = SQLFile(name: "test/text", text: "COPY copied FROM STDIN")
        #expect(throws: Stopped.self) {
            try connection.transaction {
                try connection.copyIn(text) { send in
                    try Array("1\ta\n".utf8).withUnsafeBytes { try send($0) }
                    throw Stopped()
                }
            }
        }
        #expect(try one(connection) == 1)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM copied") == 0)
        #expect(throws: Stopped.self) { try connection.copyOut(Self.source) { _ in throw Stopped() } }
        #expect(throws: PostgresError.connectionLost(statement: "test/one")) { try one(connection) }
    }

    @Test("the wrong direction is an error")
    func wrongDirection() throws {
        let connection = try connect()
        try connection.execute(script: Self.makeTable)
        #expect(throws: PostgresError.self) { try connection.copyOut(Self.target) { _ in } }
        #expect(throws: PostgresError.self) { try connect().copyIn(Self.source) { _ in } }
    }

    @Test("a stalled network is given up in both directions")
    func stall() async throws {
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { proxy.close() }
        try connect().execute(script: Self.makeTable)
        func connectThroughProxy() throws -> PostgresConnection {
            try PostgresConnection(
                url: proxy.url(database: TestDatabase.current.name) + " connect_timeout=2",
                statementTimeout: .milliseconds(300))
        }
        let reader = try connectThroughProxy()
        #expect(throws: PostgresError.timedOut(statement: "test/out")) {
            try reader.copyOut(
                SQLFile(
                    name: "test/out",
                    text: "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 1000000)) TO STDOUT")
            ) { _ in proxy.stall() }
        }
        proxy.resume()
        let writer = try connectThroughProxy()
        let row = Array(("1\t" + String(repeating: "x", count: 1 << 20) + "\n").utf8)
        #expect(throws: PostgresError.timedOut(statement: "test/text")) {
            try writer.copyIn(SQLFile(name: "test/text", text: "COPY copied FROM STDIN")) { send in
                proxy.stall()
                for _ in 0..<200 { try row.withUnsafeBytes { try send($0) } }
            }
        }
        proxy.resume()
    }
}
