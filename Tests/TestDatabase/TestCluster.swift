internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Synchronization

/// The private cluster that all tests of a run share. It stops when the run ends.
actor TestCluster {
    static let shared = TestCluster()

    private var opened: EmbeddedPostgres?
    private var templateName: String?

    func makeDatabase() throws -> TestDatabase {
        let cluster = try open()
        let template = try template(of: cluster)
        let name = "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_")
        for (name, template) in zip(databases(name), databases(template)) {
            try administer(cluster, "CREATE DATABASE \(name) TEMPLATE \(template)")
        }
        return TestDatabase(name: name, url: url(of: name, in: cluster))
    }

    func drop(_ database: TestDatabase) async throws {
        try await database.close()
        try? FileManager.default.removeItem(at: database.configurationFile)
        for name in databases(database.name) {
            try administer(try open(), "DROP DATABASE \(name) WITH (FORCE)")
        }
    }

    /// The test's own database, and that of cell 0 if it is another.
    private func databases(_ name: String) -> [String] {
        let front = TestCells.chosen.front(of: name)
        return front == name ? [name] : [name, front]
    }

    private func open() throws -> EmbeddedPostgres {
        if let opened { return opened }
        // Other programs need a cluster of their own: make test POSTGRES_BIN=…
        let programs = ProcessInfo.processInfo.environment["LANDFALL_PG_BIN"] ?? ""
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "landfall-tests-\(getuid())" + (programs.isEmpty ? "" : "-\(digest(programs))"),
                isDirectory: true)
        let cluster = try EmbeddedPostgres.startOrFind(
            dataFolder: folder, settings: ["fsync": "off", "max_connections": "300"])
        opened = cluster
        ReleaseAtExit.cluster.withLock { $0 = cluster }
        atexit { try? ReleaseAtExit.cluster.withLock { $0 }?.release() }
        return cluster
    }

    private func digest(_ text: String) -> String {
        let number = text.utf8
            .reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return String(number, radix: 16)
    }

    /// A migrated database that is only ever cloned, as is that of cell 0 if it is another. Its name contains
    /// a digest of its migrations, of the schema's name and of the cells, so that later runs find it.
    private func template(of cluster: EmbeddedPostgres) throws -> String {
        if let templateName { return templateName }
        let texts =
            SQLFile.migrations.map(\.text) + [Self.counted.text, TestDatabase.schema.text]
            + (TestDatabase.hasSeveralCells ? [TestCells.chosen.rawValue] : [])
        let name = "template_\(digest(texts.joined()))"
        // Concurrent test runs create it one after the other; the connection releases the lock when it
        // closes.
        let connection = try PostgresConnection(url: url(of: "postgres", in: cluster))
        try connection.execute(script: SQLFile(name: "lock", text: "SELECT pg_advisory_lock(19526)"))
        let known = try connection.query(
            SQLFile(name: "template", text: "SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate"),
            [.value(name)])
        if known.count == 0 {
            for name in databases(name) {
                try administer(cluster, "DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
                try administer(cluster, "CREATE DATABASE \(name)")
            }
            try fill(url(of: name, in: cluster))
            try administer(cluster, "ALTER DATABASE \(name) IS_TEMPLATE true")
        }
        templateName = name
        return name
    }

    /// Its connections are closed at its end: a database in use cannot be cloned.
    private func fill(_ url: String) throws {
        let made = try TestDatabase.connect(to: url)
        if TestDatabase.hasSeveralCells {
            let front = try PostgresConnection(url: TestDatabase.front(of: url))
            try TestDatabase.makeCells(made, front: front)
        } else {
            try Migrator().migrate(made)
        }
        try made.execute(script: Self.counted)
    }

    /// The view `public.counted` of tests: everything counted, with a column for each measure and for
    /// `unmatched` and `local`.
    private static let counted = SQLFile(
        name: "counted",
        text: """
            DO $$
            BEGIN
                EXECUTE format('CREATE VIEW public.counted AS SELECT counter.*, %s,
                    notifications * (state & 257 = 0)::int AS unmatched, notifications * (state & 257 = 256)::int AS local
                    FROM landfall.counter_by_quarter AS counter CROSS JOIN LATERAL landfall.measures(state) AS measure',
                    (SELECT string_agg(format('notifications * measure.%I::int AS %I', name, name), ', ' ORDER BY position)
                       FROM landfall.measure));
            END;
            $$
            """)

    private func administer(_ cluster: EmbeddedPostgres, _ text: String) throws {
        try PostgresConnection(url: url(of: "postgres", in: cluster))
            .execute(script: SQLFile(name: "", text: text))
    }

    /// Along with all other tests on a busy machine, PostgreSQL may need longer to accept a connection than
    /// the default.
    private func url(of database: String, in cluster: EmbeddedPostgres) -> String {
        cluster.connectionURL + " dbname=\(database) connect_timeout=60"
    }
}

/// The state of the handler at the end of the process: a C function can capture nothing.
private enum ReleaseAtExit {
    static let cluster = Mutex<EmbeddedPostgres?>(nil)
}
