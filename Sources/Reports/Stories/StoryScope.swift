public import Access
public import Instants

/// Whose story is asked for, how far back, and how much of it.
public struct StoryScope: Hashable, Sendable {
    public let app: App
    public let clock: StoryClock
    /// Pushes sent earlier are not looked for: no index leads from a token to its pushes.
    public let pushesSince: Instant
    /// At most so many pushes, and so many rows of the ledger: the newest.
    public let limit: Int64

    public init(app: App, clock: StoryClock, pushesSince: Instant, limit: Int64 = 30) {
        self.app = app
        self.clock = clock
        self.pushesSince = pushesSince
        self.limit = limit
    }
}
