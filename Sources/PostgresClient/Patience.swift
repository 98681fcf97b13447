internal import Instants

/// How long a connection waits for its server.
struct Patience: Sendable {
    /// The timeout of one round trip; `nil` waits indefinitely.
    var statementTimeout: Duration?
    /// Set once the program is ending; shared by all connections of a pool.
    var ending: EndOfWork?

    /// Starts a wait.
    func limit(_ workDeadline: ContinuousClock.Instant?) -> Limit {
        let deadlines = [statementTimeout.map { .now + $0 }, workDeadline].compactMap(\.self)
        return Limit(deadline: deadlines.min(), ending: ending)
    }

    /// The end of a wait that has started.
    struct Limit {
        let deadline: ContinuousClock.Instant?
        let ending: EndOfWork?

        /// How long to poll before checking again; `nil` if the wait is over. The program may start to end in the meantime.
        func pollMilliseconds(now: ContinuousClock.Instant) -> Int32? {
            let end = [deadline, ending?.deadline].compactMap(\.self).min()
            guard let end else { return 250 }
            guard now < end else { return nil }
            return Int32(min(250, 1 + (end - now) / .milliseconds(1)))
        }
    }
}
