/// Why a mirror ends.
public enum MirrorError: Error, Equatable, CustomStringConvertible {
    /// The command is wrong.
    case mistake(String)
    /// Going on could replace the table by other tokens, so nothing was done.
    case refused(String)
    /// Another mirror keeps this table.
    case taken(table: String)
    case failed(String)

    public var description: String {
        switch self {
        case .mistake(let reason), .refused(let reason), .failed(let reason): reason
        case .taken(let table):
            "another landfall mirror keeps \(table): stop it first, or name another table with --table"
        }
    }
}

/// A trouble that may end by itself, in the network, the server or the sender's database.
struct MirrorTrouble: Error {
    let reason: String
    /// The pause that the server asked for.
    var retryAfter: Duration?
}

/// The pauses between attempts, and when to log a trouble: once, however often it is met.
struct Troubles {
    /// How long to go on trying; `nil` for indefinitely.
    let patience: Duration?
    private var attempts = 0
    private var reasons: Set<String> = []
    private var since: ContinuousClock.Instant?

    private static let longest = Duration.seconds(60)

    init(patience: Duration?) {
        self.patience = patience
    }

    /// - Parameter chance: from 0 to 1. Half of each pause is random, so that mirrors do not return at once.
    /// - Returns: how long to wait, and whether the reason is new; `nil` if the patience is over.
    mutating func pause(
        after trouble: MirrorTrouble, now: ContinuousClock.Instant, chance: Double
    ) -> (duration: Duration, isNew: Bool)? {
        let start = since ?? now
        since = start
        let ceiling = min(Self.longest, .seconds(1 << min(attempts, 6)))
        attempts += 1
        let pause = max(trouble.retryAfter ?? .zero, ceiling / 2 + ceiling / 2 * chance)
        if let patience, now + pause > start + patience { return nil }
        return (pause, reasons.insert(trouble.reason).inserted)
    }

    /// - Returns: how long the trouble lasted; `nil` if there was none.
    mutating func end(now: ContinuousClock.Instant) -> Duration? {
        defer { self = Troubles(patience: patience) }
        return since.map { now - $0 }
    }
}
