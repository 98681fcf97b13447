/// How long a connection waits for its server.
struct Patience: Sendable {
    /// For the answer to what is sent together; nil is without end.
    var statementTimeout: Duration?
    /// Set once the program is ending; shared by all connections of a pool.
    var ending: EndOfWork?

    /// Begins a wait.
    func limit(_ workDeadline: ContinuousClock.Instant?) -> Limit {
        let deadlines = [statementTimeout.map { .now + $0 }, workDeadline].compactMap(\.self)
        return Limit(deadline: deadlines.min(), ending: ending)
    }

    /// When a wait that has begun is over.
    struct Limit {
        let deadline: ContinuousClock.Instant?
        let ending: EndOfWork?

        /// How long to look before asking again; nil when it is over. In between, the program may have begun to end.
        func pollMilliseconds(now: ContinuousClock.Instant) -> Int32? {
            let end = [deadline, ending?.deadline].compactMap(\.self).min()
            guard let end else { return 250 }
            guard now < end else { return nil }
            return Int32(min(250, 1 + (end - now) / .milliseconds(1)))
        }
    }
}
