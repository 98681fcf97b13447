internal import Logging
internal import Synchronization

/// Writes a line for each request, for each failed request, or none, as set.
struct AccessLog: Sendable {
    struct Entry {
        let route: String
        let method: String
        let status: Int
        let elapsed: Duration
        /// As stated in the head, before unpacking; `nil` for a body without a stated length.
        let bytesIn: Int?
        let bytesOut: Int?
        let keyID: Int64?
        let requestID: String

        var metadata: Logger.Metadata {
            let milliseconds = Double(elapsed.nanoseconds / 1_000) / 1_000
            var metadata: Logger.Metadata = [
                "route": "\(route)", "method": "\(method)", "status": "\(status)",
                "milliseconds": "\(milliseconds)", "request_id": "\(requestID)",
            ]
            metadata["bytes_in"] = bytesIn.map { "\($0)" }
            metadata["bytes_out"] = bytesOut.map { "\($0)" }
            metadata["key_id"] = keyID.map { "\($0)" }
            return metadata
        }
    }

    private let choice: LogSettings.Access
    private let errors: ErrorLines
    private let logger: Logger

    /// The lines are written whatever the level of the other lines is.
    ///
    /// - Parameter errors: limits the lines of failed requests, unless all requests are logged.
    init(_ choice: LogSettings.Access, errors: ErrorLines, logger: Logger) {
        self.choice = choice
        self.errors = errors
        var logger = logger
        logger.logLevel = min(logger.logLevel, choice == .on ? .info : .error)
        self.logger = logger
    }

    func note(_ entry: Entry) {
        let isError = entry.status >= 500
        switch choice {
        case .off: break
        case .errors: if isError { errors.write("request", entry.metadata, to: logger) }
        case .on: logger.log(level: isError ? .error : .info, "request", metadata: entry.metadata)
        }
    }
}

/// Lines about requests that failed on the server: up to ``perSecond``, then a note that others are omitted.
///
/// While the database is unavailable or the queue is full, thousands of requests a second fail for one
/// reason. Writing their lines would take time from requests that could be served, and no one would read
/// them; the metrics count each.
final class ErrorLines: Sendable {
    static let perSecond = 50

    private let second = Mutex<(start: ContinuousClock.Instant, count: Int)?>(nil)

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
            var current = second ?? (start: now, count: 0)
            if current.start.duration(to: now) >= .seconds(1) { current = (start: now, count: 0) }
            second = (current.start, current.count + 1)
            return current.count
        }
    }
}
