/// The pace of a sweep: as fast as possible while no other session is active, else small steps with pauses.
///
/// Each token is on a page of its own, and the first change to a page after a checkpoint writes the whole
/// page to the WAL: every commit of a client that posts meanwhile waits for that. Statistics over half a
/// second would be more reliable than one check of the other sessions, but PostgreSQL's are a second late.
struct SweepPace {
    /// The most tokens that one transaction changes.
    static let batchSize: Int64 = 200
    private static let smallBatchSize: Int64 = 50
    /// The number of batches for which a session that was seen active is assumed to be active: between two
    /// statements it looks idle.
    private static let memory = 20
    /// Other sessions get three quarters of the time, unless the longest pause applies after a slow batch.
    private static let restsPerWork = 3
    /// A slow batch does not justify a pause of seconds.
    private static let longestRest = Duration.milliseconds(500)

    private var carefulBatches = 0

    var batchSize: Int64 { carefulBatches > 0 ? Self.smallBatchSize : Self.batchSize }

    /// The length of the next pause.
    ///
    /// - Parameters:
    ///   - work: how long the last batch took.
    ///   - othersWork: whether another session was seen active after it.
    mutating func rest(after work: Duration, othersWork: Bool) -> Duration {
        carefulBatches = othersWork ? Self.memory : max(0, carefulBatches - 1)
        return carefulBatches > 0 ? min(work * Self.restsPerWork, Self.longestRest) : .zero
    }
}
