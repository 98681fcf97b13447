internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Asks the database again and again, and goes on asking when it is away.
struct WatchReader: Sendable {
    let pool: PostgresPool
    let app: App
    let timeZone: ReportTimeZone
    let pause: Duration
    /// When the watch began; items are counted from there.
    let start: Instant
    /// Whether the app was named on the command line, so that it is named in other commands as well.
    var namesApp = false

    /// Tokens are counted one by one: at most that often, and at most a fiftieth of the time.
    var healthPause = Duration.seconds(30)

    /// Until the task is cancelled.
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

    /// Says when it is due again. What ends in an error, because it takes too long, has cost as much as what does not.
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
