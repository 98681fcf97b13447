/// How fast a sweep goes: as fast as it can while nobody else works in the database, and else in small steps with rests between.
///
/// A sweep writes to a page of its own for each token, and after a checkpoint all of that page goes to the log: those who post meanwhile
/// wait for it with every commit. Half a second of statistics would be a better witness than one look at the other sessions, but
/// PostgreSQL has them a second late.
struct SweepPace {
    /// How many tokens one transaction changes at most.
    static let batchSize: Int64 = 200
    private static let smallBatchSize: Int64 = 50
    /// For so many batches somebody who was seen at work is reckoned with: between two statements one looks idle.
    private static let memory = 20
    /// Of every four moments the others have three, unless a batch took so long that the longest rest is less.
    private static let restsPerWork = 3
    /// A slow batch is no reason to stand still for seconds.
    private static let longestRest = Duration.milliseconds(500)

    private var carefulBatches = 0

    /// For the next batch.
    var batchSize: Int64 { carefulBatches > 0 ? Self.smallBatchSize : Self.batchSize }

    /// How long to rest now.
    ///
    /// - Parameters:
    ///   - work: how long the last batch took.
    ///   - othersWork: whether another session was seen at work behind it.
    mutating func rest(after work: Duration, othersWork: Bool) -> Duration {
        carefulBatches = othersWork ? Self.memory : max(0, carefulBatches - 1)
        return carefulBatches > 0 ? min(work * Self.restsPerWork, Self.longestRest) : .zero
    }
}
