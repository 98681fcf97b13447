internal import Instants
internal import PostgresClient

/// Whether requests can be served: the database is reachable, migrated and writable. Asks PostgreSQL at most once a second,
/// however many callers there are, and writes nothing while recent writes succeeded.
actor Readiness {
    private let pool: PostgresPool
    private let health: WriteHealth
    private var known: (at: ContinuousClock.Instant, problem: Problem?)?
    private var isAsking = false

    init(pool: PostgresPool, health: WriteHealth) {
        self.pool = pool
        self.health = health
    }

    /// Returns `nil` if the server is ready.
    func problem() async -> Problem? {
        if let known {
            // One caller asks; meanwhile the others get the last result, if it is recent.
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
