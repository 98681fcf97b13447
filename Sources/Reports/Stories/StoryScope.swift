public import Access
public import Instants

/// The app of a story, how far back it goes, and its maximum length.
public struct StoryScope: Hashable, Sendable {
    public let app: App
    public let clock: StoryClock
    /// Earlier pushes are not searched for: no index leads from a token to its pushes.
    public let pushesSince: Instant
    /// The maximum number of pushes, and of rows of the ledger; the newest are kept.
    public let limit: Int64

    public init(app: App, clock: StoryClock, pushesSince: Instant, limit: Int64 = 30) {
        self.app = app
        self.clock = clock
        self.pushesSince = pushesSince
        self.limit = limit
    }
}
