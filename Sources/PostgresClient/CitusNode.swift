internal import Synchronization

/// The node of Citus that holds a schema. Programs connect to it directly: through the coordinator, every
/// statement would be planned once more, and advisory locks are those of one node.
public final class CitusNode: Sendable {
    private static let lifetime = Duration.seconds(60)
    private let coordinator: String
    private let schema: SchemaName
    private let known = Mutex<(url: String, expiry: ContinuousClock.Instant)?>(nil)

    /// - Parameter coordinator: in any form that libpq accepts.
    public init(coordinator: String, schema: SchemaName) {
        (self.coordinator, self.schema) = (coordinator, schema)
    }

    public func connect(preparesStatements: Bool) throws(PostgresError) -> PostgresConnection {
        let url = try url()
        let connection = try PostgresConnection(
            url: url, schema: schema, preparesStatements: preparesStatements)
        try prepare(connection, to: url)
        return connection
    }

    /// Lets a new connection to the node write there.
    func prepare(_ connection: PostgresConnection, to url: String) throws(PostgresError) {
        connection.citus = (coordinator, url)
        guard url != coordinator else { return }
        do {
            try connection.query(.Administration.adoptNode)
            connection.checksNode = true
        } catch {
            if error.sqlState == .schemaMoved { forget() }
            throw error
        }
    }

    /// Makes the next caller ask for the node.
    func forget() {
        known.withLock { $0 = nil }
    }

    /// The connection string of the node: the coordinator's until the schema is distributed. One caller asks
    /// for it once a minute; meanwhile, and while the coordinator does not respond, the last one is used.
    func url() throws(PostgresError) -> String {
        let now = ContinuousClock.now
        let last = known.withLock { known in
            let last = known
            if let last, last.expiry <= now { known = (last.url, now + Self.lifetime) }
            return last
        }
        if let last, last.expiry > now { return last.url }
        do {
            let url = try findURL()
            known.withLock { $0 = (url, now + Self.lifetime) }
            return url
        } catch {
            guard let last else { throw error }
            return last.url
        }
    }

    private func findURL() throws(PostgresError) -> String {
        let connection = try PostgresConnection(
            url: coordinator, schema: schema, preparesStatements: false, statementTimeout: .seconds(5))
        guard try connection.hasCitus(), let node = try connection.query(.Administration.findNode).first
        else { return coordinator }
        var options = connection.connectionOptions
        options["hostaddr"] = nil
        options["host"] = try node.get("host", as: String.self)
        options["port"] = try String(node.get("port", as: Int64.self))
        return PostgresConnection.string(of: options)
    }
}

extension PostgresConnection {
    /// A connection that may create and drop tables: to the coordinator if the schema is distributed,
    /// otherwise this one.
    public func coordinating() throws(PostgresError) -> PostgresConnection {
        guard let citus else { return self }
        let connection = try PostgresConnection(url: citus.coordinator, schema: schema)
        connection.citus = citus
        return connection
    }

    fileprivate func hasCitus() throws(PostgresError) -> Bool {
        try query(.Administration.findCitus).single().get("is_there")
    }

    /// Distributes the schema if the settings ask for it, unless it is distributed.
    ///
    /// - Throws: ``MigrationError/noCitus``, `PostgresError`.
    func distribute() throws {
        guard citus != nil else { return }
        let owner = try coordinating()
        guard try owner.hasCitus() else { throw MigrationError.noCitus }
        do {
            try owner.query(.Administration.distributeSchema)
        } catch {
            // Another server may have been faster; then this changes nothing.
            try owner.query(.Administration.distributeSchema)
        }
    }
}
