internal import PostgresClient

/// Whether requests can be served: the database can be reached, is migrated, and can be written to. Asks PostgreSQL once a second at
/// most, however many ask here, and writes nothing while recent writes went well.
actor Readiness {
    private let pool: PostgresPool
    private let health: WriteHealth
    private var known: (at: ContinuousClock.Instant, problem: Problem?)?
    private var isAsking = false

    init(pool: PostgresPool, health: WriteHealth) {
        self.pool = pool
        self.health = health
    }

    /// `nil` if all is well.
    func problem() async -> Problem? {
        if let known {
            // One asks, the others get what was known; but nothing that is old.
            let age = known.at.duration(to: .now)
            if age < (isAsking ? .seconds(3) : .seconds(1)) { return known.problem }
        }
        isAsking = true
        defer { isAsking = false }
        let problem = await ask()
        known = (.now, problem)
        return problem
    }

    private func ask() async -> Problem? {
        if let reason = health.restart {
            return .unavailable("database_restarting", "the private PostgreSQL is being restarted: \(reason)")
        }
        let isInDoubt = health.trouble != nil
        do {
            let (pending, trouble) = try await pool.withConnection { connection in
                let pending = try Migrator().pending(connection).count
                let announced = try WritingTrouble.announced(on: connection)
                return (pending, try announced ?? (isInDoubt ? WritingTrouble.tried(on: connection) : nil))
            }
            if let trouble {
                return .unavailable("not_writable", "\(trouble.sentence). \(trouble.remedy)")
            }
            if isInDoubt { health.wrote() }
            guard pending > 0 else { return nil }
            return .unavailable(
                "not_migrated", "the database lacks \(pending) migrations: run landfall migrate")
        } catch {
            return Problem(error)
        }
    }
}
