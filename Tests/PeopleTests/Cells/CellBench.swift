import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

/// Cells in one database: the schema that every test has is cell 0, others get a schema of their own.
struct CellBench {
    let now = Instant(millisecondsSinceEpoch: 1_794_000_000_000)

    /// A new connection to cell 0.
    func front() throws -> PostgresConnection { try TestDatabase.current.connect() }

    func cell(_ number: Int) throws -> CellNumber { try #require(CellNumber(number)) }

    /// A new connection to another cell's schema, which is migrated, but not yet the cell's.
    func connect(_ cell: CellNumber) throws -> PostgresConnection {
        let schema = try #require(SchemaName("cell_\(cell)"))
        let connection = try PostgresConnection(url: TestDatabase.current.url, schema: schema)
        try Migrator().migrate(connection)
        return connection
    }

    /// Adds a cell, and connects to it.
    func add(_ number: Int) throws -> (CellNumber, PostgresConnection) {
        let cell = try cell(number)
        let connection = try connect(cell)
        try cell.claim(connection, from: front())
        return (cell, connection)
    }
}

extension PostgresConnection {
    func run(_ text: String) throws {
        try execute(script: SQLFile(name: "test", text: text))
    }

    func number(_ text: String) throws -> Int64 {
        try query(SQLFile(name: "test/\(text.hashValue)", text: text)).single().get(0, as: Int64.self)
    }

    /// The next id of new rows of a table.
    func nextID(_ sequence: String) throws -> Int64 { try number("SELECT nextval('landfall.\(sequence)')") }
}
