internal import Instants

/// Determines when the next attempt to connect is due.
struct ConnectBackoff {
    private var failures = 0
    private var lastError: PostgresError?
    private var nextAttempt: ContinuousClock.Instant?

    mutating func connected() {
        self = ConnectBackoff()
    }

    mutating func couldNotConnect(_ error: PostgresError, now: ContinuousClock.Instant) {
        failures += 1
        lastError = error
        nextAttempt = now + Self.delay(afterFailures: failures)
    }

    func checkIsOver(now: ContinuousClock.Instant) throws(PostgresError) {
        guard let nextAttempt, now < nextAttempt, let lastError else { return }
        throw lastError
    }

    /// 25 to 50 ms after the first failure, then doubled with each further one, up to 2 s. Random, so that servers do not
    /// reconnect all at once.
    static func delay(afterFailures failures: Int) -> Duration {
        let ceiling = min(2_000, 50 << min(failures - 1, 6))
        return .milliseconds(Int.random(in: ceiling / 2...ceiling))
    }
}
