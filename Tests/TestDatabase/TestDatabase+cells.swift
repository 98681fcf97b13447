internal import Access
public import DeliveryModel
public import PostgresClient

/// The id of the app that a test creates first.
public let firstApp = TestDatabase.appID(1)
/// The id of the app that it creates second.
public let secondApp = TestDatabase.appID(2)

/// What tests need where their apps may be in another cell than cell 0.
extension TestDatabase {
    /// The id of the first, second, … app of the test.
    static func appID(_ number: Int64) -> Int64 { hasSeveralCells ? (1 << 20) + number : number }

    /// The first, second, … id that any other sequence gives, except those of measures and responses.
    public static func id(_ number: Int64) -> Int64 { hasSeveralCells ? (1 << 38) + number : number }

    /// Gives new rows the ids 1, 2, … as in cell 0, for tests in SQL that name rows by number. In cell 1 they
    /// are like the rows of an app that came from cell 0.
    public func numberFromOne() throws {
        guard Self.hasSeveralCells else { return }
        let restart = SQLFile(
            name: "test/number",
            text: """
                DO $$
                DECLARE
                    known record;
                BEGIN
                    FOR known IN
                        -- This one has no rows here, and shows which range the cell has.
                        SELECT name FROM landfall.id_sequence WHERE name <> 'session_session_id_seq'
                    LOOP
                        EXECUTE format('ALTER SEQUENCE landfall.%I MINVALUE 1 RESTART 1', known.name);
                    END LOOP;
                END;
                $$
                """)
        try connect().execute(script: restart)
    }

    /// Creates an app as `landfall app create` does.
    ///
    /// - Parameter connection: a connection to the test's cell, not in a transaction.
    public func createApp(
        _ slug: String, at now: Instant = .now, on connection: PostgresConnection
    ) throws -> App {
        guard Self.hasSeveralCells else { return try AppDirectory(connection).createApp(slug: slug, at: now) }
        return try CellDirectory(front.connect())
            .create(slug: slug, in: Self.cell, on: connection, at: now)
    }

    /// Enters apps that a test has created in SQL into the directory, so that they are found by name.
    package func enterApps() throws {
        guard Self.hasSeveralCells else { return }
        let directory = try front.connect()
        let enter = SQLFile(
            name: "test/enter",
            text: """
                INSERT INTO landfall.app_cell (slug, app_id, cell) VALUES ($1, $2, $3)
                ON CONFLICT (slug) DO UPDATE SET app_id = excluded.app_id
                """)
        for app in try AppDirectory(connect()).apps() {
            try directory.query(
                enter, [.value(app.slug), .value(app.appID), .value(Int32(Self.cell.number))])
        }
    }

    /// Migrates the schemas of a database, and makes them cells.
    ///
    /// - Parameter front: the database of cell 0.
    static func makeCells(_ home: PostgresConnection, front: PostgresConnection) throws {
        try Migrator().migrate(front)
        try Migrator().migrate(home)
        try cell.claim(home, from: front)
    }

    /// Makes the cells in a cluster of the test's own, unless there is one, which a server makes.
    public func makeCells() throws {
        guard Self.hasSeveralCells else { return }
        if front.name != name {
            try connect().execute(script: SQLFile(name: "test/make", text: "CREATE DATABASE \(front.name)"))
        }
        try Self.makeCells(connect(), front: front.connect())
    }

    /// Closes the pools of all cells.
    public func close() async throws {
        try await pool.close()
        if Self.hasSeveralCells { try await front.pool.close() }
    }
}
