internal import Connecting
internal import DeliveryModel
internal import PostgresClient

/// Reads what has arrived again and again, and prints what is new.
struct ConnectWatch {
    /// The shortest pause between two looks. At most a twentieth of the time is spent on them.
    private static let pause = Duration.seconds(1)

    let start: ConnectStart
    let end: ConnectEnd
    private var news = ConnectNews()

    init(start: ConnectStart, end: ConnectEnd) { (self.start, self.end) = (start, end) }

    /// Returns once the end is reached, or when the time is up.
    ///
    /// - Throws: `CancellationError` after what was seen has been summed up; errors of the database.
    mutating func run(
        until deadline: ContinuousClock.Instant?, on connection: PostgresConnection
    ) async throws -> ConnectProgress {
        while true {
            let begin = ContinuousClock.now
            let progress = try start.progress(until: end, now: .now, on: connection)
            let lines = news.lines(of: progress)
            if !lines.isEmpty { try Stdout.write(lines: lines) }
            if case .connected = progress.stage { return progress }
            if let deadline, ContinuousClock.now >= deadline { return progress }
            do {
                try await Task.sleep(for: max(Self.pause, (.now - begin) * 20))
            } catch {
                note(progress.summary)
                throw error
            }
        }
    }
}
