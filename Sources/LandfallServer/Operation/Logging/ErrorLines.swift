internal import Instants
internal import Logging
internal import Synchronization

/// Lines about requests that failed on the server: up to ``perSecond``, then one that says that others are omitted.
///
/// While the database is unavailable or the queue is full, thousands of requests a second fail for one reason. Writing their
/// lines would take time from requests that could be served, and no one would read them; the metrics count each.
final class ErrorLines: Sendable {
    static let perSecond = 50

    private struct Second {
        var start: ContinuousClock.Instant
        var count = 0
    }

    private let second: Mutex<Second?> = Mutex(nil)

    func write(
        _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata, to logger: Logger,
        now: ContinuousClock.Instant = .now
    ) {
        guard logger.logLevel <= .error else { return }
        let number = next(now)
        if number < Self.perSecond {
            logger.error(message, metadata: metadata())
        } else if number == Self.perSecond {
            logger.error(
                "further requests failed within this second: they are counted, but not logged")
        }
    }

    /// The number of this line within its second, from 0.
    private func next(_ now: ContinuousClock.Instant) -> Int {
        second.withLock { second in
            var current = second ?? Second(start: now)
            if current.start.duration(to: now) >= .seconds(1) { current = Second(start: now) }
            defer { second = Second(start: current.start, count: current.count + 1) }
            return current.count
        }
    }
}
