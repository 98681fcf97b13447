internal import Access
internal import Instants
internal import PostgresClient
internal import Reports

/// Queries the database repeatedly, also while it is unavailable.
struct WatchReader: Sendable {
    let pool: PostgresPool
    let app: App
    let timeZone: ReportTimeZone
    let pause: Duration
    /// The start of the watch; items are counted from the start of that hour (UTC).
    let start: Instant
    /// Whether the app was named on the command line, so that other commands name it as well.
    var namesApp = false

    /// The pause between counts of the tokens, which are counted one by one: this long at least, and at most a fiftieth of the
    /// time is spent on it.
    var healthPause = Duration.seconds(30)

    /// Reads until the task is canceled.
    func run(_ tell: @Sendable (WatchNews) -> Void) async {
        var healthIsDue = ContinuousClock.now
        while !Task.isCancelled {
            do {
                tell(try await readDay())
                if ContinuousClock.now >= healthIsDue { healthIsDue = await tellHealth(tell) }
            } catch {
                if !Task.isCancelled { tell(.trouble("\(error)", .now)) }
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Counts the tokens and returns when the next count is due. A count that fails, because it takes too long, has cost as much
    /// as one that succeeds.
    private func tellHealth(_ tell: @Sendable (WatchNews) -> Void) async -> ContinuousClock.Instant {
        let begin = ContinuousClock.now
        do {
            tell(try await readHealth())
        } catch {
            if !Task.isCancelled { tell(.healthTrouble("\(error)", .now)) }
        }
        return .now + max(healthPause, (.now - begin) * 50)
    }

    private func readDay() async throws -> WatchNews {
        let (app, timeZone, start) = (app, timeZone, start)
        return try await pool.withConnection { connection in
            let now = Instant.now
            return .day(
                try AppToday.run(for: app, in: timeZone, on: connection, now: now),
                try ReceivedItems.read(of: app, since: start, on: connection))
        }
    }

    private func readHealth() async throws -> WatchNews {
        let app = app
        return try await pool.withConnection { connection in
            .health(try TokenHealth.run(for: app, on: connection, now: .now))
        }
    }
}
